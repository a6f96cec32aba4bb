// expect only: ricci: an iterative solver takes a matrix
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = ricci::cg(x, v).x;
#else
    const auto y = ricci::cg(2.0, v).x;
#endif
    return static_cast<int>(x.size() + v.size() + y.size());
}
