# What only the project's own tests, examples and benchmarks use. Consumers are left alone: nothing here touches ricci::ricci.
include(CheckCXXCompilerFlag)

set(RICCI_ARCH "native" CACHE STRING "-march of tests, examples and benchmarks; empty for the compiler's default")
set(RICCI_TEST_DATA "${PROJECT_SOURCE_DIR}/../shared/data" CACHE PATH "Reference data sets; what is absent is not tested")
option(RICCI_CHECK_HEADERS "Compile each header alone, as part of the tests" OFF)

set(CMAKE_CXX_EXTENSIONS OFF)
if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
    endif()
    find_program(RICCI_CCACHE ccache)
    mark_as_advanced(RICCI_CCACHE)
    foreach(language CXX CUDA)
        if(RICCI_CCACHE AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
            # paths relative to the checkout, so that clones share what the cache holds
            set(CMAKE_${language}_COMPILER_LAUNCHER
                "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=true "${RICCI_CCACHE}")
        endif()
    endforeach()
endif()

if(RICCI_BUILD_CUDA_TESTS)
    find_package(CUDAToolkit REQUIRED)
    if(NOT CMAKE_CUDA_COMPILER)
        set(CMAKE_CUDA_COMPILER "${CUDAToolkit_NVCC_EXECUTABLE}")
    endif()
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
    enable_language(CUDA)
endif()

# Flags of every program of the project: the machine's instruction set and the warnings. -Wconversion is left out: mixed
# integer and floating arithmetic is what tensor code is made of, and casts everywhere would hide the ones that matter.
add_library(ricci_program INTERFACE)
target_compile_options(ricci_program INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wall;-Wextra;-Wshadow>")
if(RICCI_ARCH)
    check_cxx_compiler_flag("-march=${RICCI_ARCH}" RICCI_HAS_MARCH)
    if(RICCI_HAS_MARCH)
        target_compile_options(ricci_program INTERFACE
            "$<$<COMPILE_LANGUAGE:CXX>:-march=${RICCI_ARCH}>"
            "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-march=${RICCI_ARCH}>")
    endif()
endif()
