// expect: ricci: here stands true or false
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(x.size() + v.size() + ricci::linalg::cholesky(x, false).size());
#else
    return static_cast<int>(x.size() + v.size() + ricci::linalg::cholesky(x, "lower").size());
#endif
}
