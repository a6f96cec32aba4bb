# Functions of the package tests: run a command or stop, build one of the consumers and run it.

set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "${LAUNCHER}")  # a list: as an argument, each of its elements would be one

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nfailed (${status}):\n${output}")
    endif()
endfunction()

# Further arguments go to CMake's configuration of the consumer.
function(build_consumer name)
    set(build_dir "${WORK_DIR}/build")
    run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${RICCI_SOURCE_DIR}/tests/package/${name}" -B "${build_dir}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DRicciXsimd_INCLUDE_DIR=${XSIMD_INCLUDE_DIR}" ${ARGN})
    run("${CMAKE_COMMAND}" --build "${build_dir}")
    run("${build_dir}/consumer")
    message(STATUS "${name}: built and run")
endfunction()
