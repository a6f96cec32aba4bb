// expect only: ricci: nothing can be written into `auto y = a \* b`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    auto y = evaluate(x * 2);
    y(y > 2) += 1;
    return static_cast<int>(x.size() + y.size());
#else
    auto y = x * 2;
    y(y > 2) += 1;
    return static_cast<int>(x.size() + y.size());
#endif
}
