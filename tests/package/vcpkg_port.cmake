# Run by ctest: executes ports/ricci/portfile.cmake with stand-ins for vcpkg's functions, which do to the package directory
# what vcpkg's do, then checks the package as vcpkg's own checks would and builds a consumer against it.
include("${CMAKE_CURRENT_LIST_DIR}/consumer.cmake")
file(REMOVE_RECURSE "${WORK_DIR}")

set(PORT ricci)
set(CURRENT_PORT_DIR "${RICCI_SOURCE_DIR}/ports/ricci")
set(CURRENT_BUILDTREES_DIR "${WORK_DIR}/buildtrees")
set(CURRENT_PACKAGES_DIR "${WORK_DIR}/packages")

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    foreach(config dbg rel)
        set(prefix "${CURRENT_PACKAGES_DIR}")
        if(config STREQUAL "dbg")
            string(APPEND prefix "/debug")
        endif()
        run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${arg_SOURCE_PATH}" -B "${CURRENT_BUILDTREES_DIR}/${config}"
            "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_INSTALL_PREFIX=${prefix}"
            "-DRicciXsimd_INCLUDE_DIR=${XSIMD_INCLUDE_DIR}" ${arg_OPTIONS})
    endforeach()
endfunction()

function(vcpkg_cmake_install)
    run("${CMAKE_COMMAND}" --install "${CURRENT_BUILDTREES_DIR}/dbg")
    run("${CMAKE_COMMAND}" --install "${CURRENT_BUILDTREES_DIR}/rel")
endfunction()

# Moves the package files to share/<port>, and the paths inside them up by as much.
function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH;PACKAGE_NAME" "")
    set(from "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}")
    if(NOT IS_DIRECTORY "${from}" OR NOT IS_DIRECTORY "${CURRENT_PACKAGES_DIR}/debug/${arg_CONFIG_PATH}")
        message(FATAL_ERROR "CONFIG_PATH ${arg_CONFIG_PATH} does not exist in both configurations")
    endif()
    set(to "${CURRENT_PACKAGES_DIR}/share/${PORT}")
    file(COPY "${from}/" DESTINATION "${to}")
    file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/cmake" "${CURRENT_PACKAGES_DIR}/debug/share")
    file(READ "${to}/ricci-targets.cmake" text)
    string(REGEX REPLACE "get_filename_component\\(_IMPORT_PREFIX \"\\\${CMAKE_CURRENT_LIST_FILE}\" PATH\\)(\n[^\n]*PATH\\))*"
        "get_filename_component(_IMPORT_PREFIX \"\${CMAKE_CURRENT_LIST_DIR}/../..\" ABSOLUTE)" text "${text}")
    file(WRITE "${to}/ricci-targets.cmake" "${text}")
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    file(COPY_FILE "${arg_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright")
endfunction()

include("${CURRENT_PORT_DIR}/portfile.cmake")

# ---- What vcpkg's post-build checks ask of a package --------------------------------------------------------------
foreach(path include/ricci/ricci.hpp share/ricci/ricci-config.cmake share/ricci/copyright share/ricci/usage)
    if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${path}")
        message(FATAL_ERROR "the package lacks ${path}")
    endif()
endforeach()
foreach(path debug lib bin share/doc share/cmake)
    if(EXISTS "${CURRENT_PACKAGES_DIR}/${path}")
        message(FATAL_ERROR "the package has ${path}, which vcpkg refuses in a header-only port")
    endif()
endforeach()

file(READ "${CURRENT_PORT_DIR}/vcpkg.json" manifest)
string(JSON port_version GET "${manifest}" version)
file(READ "${CURRENT_PACKAGES_DIR}/share/ricci/ricci-config-version.cmake" text)
if(NOT text MATCHES "set\\(PACKAGE_VERSION \"${port_version}\"\\)")
    message(FATAL_ERROR "vcpkg.json says version ${port_version}, the headers say another")
endif()

build_consumer(find_package "-DCMAKE_PREFIX_PATH=${CURRENT_PACKAGES_DIR}")
