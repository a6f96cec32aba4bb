# Run by ctest: builds the project in the directory CONSUMER as a user would, and runs its program.
include("${CMAKE_CURRENT_LIST_DIR}/consumer.cmake")
file(REMOVE_RECURSE "${WORK_DIR}")

if(CONSUMER STREQUAL "find_package")
    run("${CMAKE_COMMAND}" --install "${RICCI_BINARY_DIR}" --prefix "${WORK_DIR}/installed")
    file(RENAME "${WORK_DIR}/installed" "${WORK_DIR}/moved")  # nothing installed may know where it was installed
    file(GLOB_RECURSE installed "${WORK_DIR}/moved/*")
    foreach(file IN LISTS installed)
        file(READ "${file}" text)
        string(FIND "${text}" "${RICCI_BINARY_DIR}" build_path)
        string(FIND "${text}" "${RICCI_SOURCE_DIR}" source_path)
        if(NOT build_path EQUAL -1 OR NOT source_path EQUAL -1)
            message(FATAL_ERROR "${file} names the directory that it was built in")
        endif()
    endforeach()
    build_consumer(find_package "-DCMAKE_PREFIX_PATH=${WORK_DIR}/moved")
elseif(CONSUMER STREQUAL "compiled")
    run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${RICCI_SOURCE_DIR}" -B "${WORK_DIR}/library" -DRICCI_INSTALL_COMPILED=ON
        -DRICCI_BUILD_TESTS=OFF -DRICCI_BUILD_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib
        "-DCMAKE_INSTALL_PREFIX=${WORK_DIR}/installed" "-DCMAKE_CXX_COMPILER=${COMPILER}"
        "-DRicciXsimd_INCLUDE_DIR=${XSIMD_INCLUDE_DIR}")
    run("${CMAKE_COMMAND}" --build "${WORK_DIR}/library")
    run("${CMAKE_COMMAND}" --install "${WORK_DIR}/library")
    file(RENAME "${WORK_DIR}/installed" "${WORK_DIR}/moved")
    build_consumer(compiled "-DCMAKE_PREFIX_PATH=${WORK_DIR}/moved")
else()
    build_consumer(${CONSUMER} "-DRICCI_SOURCE_DIR=${RICCI_SOURCE_DIR}")
endif()
