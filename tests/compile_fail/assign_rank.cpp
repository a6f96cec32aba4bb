// expect: ricci: the expression's rank is not the tensor's rank
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const ricci::tensor<double, 1> y = ricci::sum(x * 2.0, 0);
    return static_cast<int>(y.size());
#else
    const ricci::tensor<double, 1> y = x * 2.0;
    return static_cast<int>(y.size());
#endif
}
