# ricci::zlib: compressed .npz files (ricci/io/npz.hpp) by zlib.
find_package(ZLIB QUIET)
if(ZLIB_FOUND)
    add_library(ricci::zlib INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ricci::zlib INTERFACE ricci::ricci ZLIB::ZLIB)
    target_compile_definitions(ricci::zlib INTERFACE RICCI_USE_ZLIB)
endif()
