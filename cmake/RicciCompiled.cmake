# ricci::compiled: the engine's bodies in a static library, so that the units that link it need not compile them each. Built where a
# target links it, with CMAKE_CXX_FLAGS. If these name the units' instruction set (-march), the library's kernels of common element
# types are theirs, too; units for another instruction set compile their own.

# Sets `result` to the name that ricci/core/config.hpp gives the instruction set of the directory's flags and ARGN; empty if unknown.
function(ricci_instruction_set result)
    set(work "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/ricci_instruction_set")
    file(WRITE "${work}/probe.cpp" [[
#include <ricci/core/config.hpp>
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
extern const char name[];
const char name[] = "ricci_instruction_set=" TEXT(RICCI_ISA) ";";
]])
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    set(CMAKE_TRY_COMPILE_CONFIGURATION "${CMAKE_BUILD_TYPE}")
    get_directory_property(options COMPILE_OPTIONS)
    list(FILTER options EXCLUDE REGEX "\\$<")
    try_compile(compiled "${work}" "${work}/probe.cpp"
        CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/include"
        COMPILE_DEFINITIONS ${options} ${ARGN}
        COPY_FILE "${work}/probe"
        CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
    set(${result} "" PARENT_SCOPE)
    if(compiled)
        file(STRINGS "${work}/probe" names REGEX "ricci_instruction_set=[a-z0-9_]+;")
        if("${names}" MATCHES "ricci_instruction_set=([a-z0-9_]+)")
            set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
        endif()
    endif()
endfunction()

# A library of the compiled engine, with the directory's flags and ARGN.
function(ricci_add_compiled target)
    add_library(${target} STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/source/ricci.cpp")
    target_link_libraries(${target} PUBLIC ricci)
    target_compile_definitions(${target} PUBLIC RICCI_COMPILED)
    target_compile_options(${target} PRIVATE ${ARGN})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    ricci_instruction_set(isa ${ARGN})
    if(isa)
        target_compile_definitions(${target} PUBLIC RICCI_COMPILED_ISA=${isa})
    endif()
endfunction()

ricci_add_compiled(ricci_compiled)
set_target_properties(ricci_compiled PROPERTIES EXPORT_NAME compiled)
add_library(ricci::compiled ALIAS ricci_compiled)
