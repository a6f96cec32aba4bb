# Installs the headers, the exported target ricci::ricci and the package files for find_package(ricci); with
# RICCI_INSTALL_COMPILED the library ricci::compiled, the component `compiled`.
include(CMakePackageConfigHelpers)
set(ricci_package_dir "${CMAKE_INSTALL_DATADIR}/cmake/ricci")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/ricci" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(TARGETS ricci EXPORT ricci-targets)
install(EXPORT ricci-targets NAMESPACE ricci:: DESTINATION "${ricci_package_dir}")

set(ricci_any_architecture ARCH_INDEPENDENT)
if(RICCI_INSTALL_COMPILED)
    set(ricci_any_architecture)
    set_target_properties(ricci_compiled PROPERTIES EXCLUDE_FROM_ALL OFF)
    install(TARGETS ricci_compiled EXPORT ricci-compiled-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    install(EXPORT ricci-compiled-targets NAMESPACE ricci:: DESTINATION "${ricci_package_dir}")
endif()

configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/cmake/ricci-config.cmake.in" "${PROJECT_BINARY_DIR}/ricci-config.cmake"
    INSTALL_DESTINATION "${ricci_package_dir}"
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ricci-config-version.cmake"
    COMPATIBILITY SameMinorVersion ${ricci_any_architecture})
install(
    FILES
        "${PROJECT_BINARY_DIR}/ricci-config.cmake"
        "${PROJECT_BINARY_DIR}/ricci-config-version.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/FindRicciXsimd.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/RicciComponents.cmake"
    DESTINATION "${ricci_package_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cmake/components" DESTINATION "${ricci_package_dir}")
