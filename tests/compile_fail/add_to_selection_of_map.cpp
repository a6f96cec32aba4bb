// expect only: ricci: nothing can be written into `auto y = a \* b`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    auto y = evaluate(x * 2);
#else
    auto y = x * 2;
#endif
    auto selected = y(y > 2);
    selected.add(x(x > 1));
    return static_cast<int>(y.size());
}
