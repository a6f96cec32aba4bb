# ricci::thrust_host: runs the Thrust backend (ricci/cuda.hpp) on Thrust's host systems, so that a plain C++ compiler builds
# it and no GPU is needed. Thrust's headers come from the CUDA toolkit (13: include/cccl; 12: include) or from a package
# such as libthrust-dev; set RICCI_THRUST_INCLUDE_DIR to choose a copy.
set(RICCI_THRUST_DEVICE_SYSTEM "" CACHE STRING "Thrust's device system in ricci::thrust_host: OMP or CPP; empty for the best found")
set_property(CACHE RICCI_THRUST_DEVICE_SYSTEM PROPERTY STRINGS "" OMP CPP)

find_package(CUDAToolkit QUIET)
list(TRANSFORM CUDAToolkit_INCLUDE_DIRS APPEND "/cccl" OUTPUT_VARIABLE ricci_cccl_dirs)
find_path(RICCI_THRUST_INCLUDE_DIR NAMES thrust/version.h
    HINTS ${ricci_cccl_dirs} ${CUDAToolkit_INCLUDE_DIRS}
    DOC "Directory that holds thrust/version.h")
mark_as_advanced(RICCI_THRUST_INCLUDE_DIR)

set(ricci_thrust_system "${RICCI_THRUST_DEVICE_SYSTEM}")
if(NOT ricci_thrust_system STREQUAL "CPP")
    find_package(OpenMP QUIET COMPONENTS CXX)
    if(OpenMP_CXX_FOUND)
        set(ricci_thrust_system OMP)
    elseif(ricci_thrust_system STREQUAL "OMP")
        message(FATAL_ERROR "RICCI_THRUST_DEVICE_SYSTEM is OMP, and ${CMAKE_CXX_COMPILER} was found to have no OpenMP")
    else()
        set(ricci_thrust_system CPP)
    endif()
endif()

if(RICCI_THRUST_INCLUDE_DIR)
    add_library(ricci::thrust_host INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ricci::thrust_host INTERFACE ricci::ricci)
    target_include_directories(ricci::thrust_host INTERFACE "${RICCI_THRUST_INCLUDE_DIR}" ${CUDAToolkit_INCLUDE_DIRS})
    target_compile_definitions(ricci::thrust_host INTERFACE
        THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP
        THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_${ricci_thrust_system})
    if(ricci_thrust_system STREQUAL "OMP")
        target_link_libraries(ricci::thrust_host INTERFACE OpenMP::OpenMP_CXX)
    endif()
endif()
