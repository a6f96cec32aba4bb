// expect: ricci: linalg::eig and eigvals need LAPACK: define RICCI_USE_LAPACK \(CMake: link ricci::lapack\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> a{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::linalg::eigvalsh(a).size());
#else
    return static_cast<int>(ricci::linalg::eigvals(a).size());
#endif
}
