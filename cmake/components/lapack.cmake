# ricci::lapack: the decompositions of larger matrices, and linalg::eig, by LAPACK (ricci/cpu/linalg/lapack.hpp).
find_package(LAPACK QUIET)
if(LAPACK_FOUND)
    add_library(ricci::lapack INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ricci::lapack INTERFACE ricci::ricci LAPACK::LAPACK)
    target_compile_definitions(ricci::lapack INTERFACE RICCI_USE_LAPACK)
endif()
