// expect only: ricci: tensordot is told how many axes
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = ricci::tensordot(x, x, {{1}, {0}});
#else
    const auto y = ricci::tensordot(x, x, 1.0);
#endif
    return static_cast<int>(x.size() + v.size() + y.size());
}
