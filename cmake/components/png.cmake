# ricci::png: .png files (ricci/io/png.hpp) by libpng.
find_package(PNG QUIET)
if(PNG_FOUND)
    add_library(ricci::png INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ricci::png INTERFACE ricci::ricci PNG::PNG)
    target_compile_definitions(ricci::png INTERFACE RICCI_USE_PNG)
endif()
