# An overlay port of the source tree that it lies in: vcpkg install ricci --overlay-ports=<this repository>/ports
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DRICCI_INSTALL=ON
        -DRICCI_BUILD_TESTS=OFF
        -DRICCI_BUILD_EXAMPLES=OFF
        -DRICCI_BUILD_BENCHMARKS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME ricci CONFIG_PATH share/cmake/ricci)

# Headers only: nothing of the debug tree is wanted, and the licence goes where vcpkg wants it.
file(REMOVE_RECURSE
    "${CURRENT_PACKAGES_DIR}/debug"
    "${CURRENT_PACKAGES_DIR}/lib"
    "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
