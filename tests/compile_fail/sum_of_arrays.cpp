// expect only: ricci: a vector or span becomes an array by .*; a vector of arrays by stack\(v\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 2> x{{1, 2}, {3, 4}};
    const std::vector v{x, x};
#ifdef RICCI_FIXED
    const tensor y = sum(stack(v), 0);
#else
    const tensor y = sum(v, 0);
#endif
    return static_cast<int>(y.size());
}
