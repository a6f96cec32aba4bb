# Finds the headers of xsimd and defines ricci::xsimd. An own module, because the CMake target that some distributions
# install with xsimd links a library, xtl, that they do not install with it. Set RicciXsimd_INCLUDE_DIR to choose a copy.
find_path(RicciXsimd_INCLUDE_DIR NAMES xsimd/xsimd.hpp DOC "Directory that holds xsimd/xsimd.hpp")
mark_as_advanced(RicciXsimd_INCLUDE_DIR)

if(RicciXsimd_INCLUDE_DIR)
    set(RicciXsimd_VERSION "")
    foreach(part MAJOR MINOR PATCH)
        file(STRINGS "${RicciXsimd_INCLUDE_DIR}/xsimd/config/xsimd_config.hpp" line
            REGEX "^#define XSIMD_VERSION_${part} [0-9]+")
        string(REGEX REPLACE "[^0-9]" "" number "${line}")
        list(APPEND RicciXsimd_VERSION "${number}")
    endforeach()
    list(JOIN RicciXsimd_VERSION "." RicciXsimd_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(RicciXsimd
    REQUIRED_VARS RicciXsimd_INCLUDE_DIR
    VERSION_VAR RicciXsimd_VERSION
    REASON_FAILURE_MESSAGE "xsimd 8 or newer is needed: on Debian and Ubuntu, apt-get install libxsimd-dev")

if(RicciXsimd_FOUND AND NOT TARGET ricci::xsimd)
    add_library(ricci::xsimd INTERFACE IMPORTED GLOBAL)
    target_include_directories(ricci::xsimd INTERFACE "${RicciXsimd_INCLUDE_DIR}")
endif()
