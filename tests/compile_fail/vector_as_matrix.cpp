// expect: ricci: linalg needs matrices
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(x.size() + v.size() + ricci::linalg::svdvals(x).size());
#else
    return static_cast<int>(x.size() + v.size() + ricci::linalg::svdvals(v).size());
#endif
}
