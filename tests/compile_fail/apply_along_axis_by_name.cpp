// expect only: ricci: numpy.apply_along_axis\(f, 1, x\) is vmap\(f\)\(x\) here
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 2> x{{1, 2}, {3, 4}};
    const auto f = [](auto a) { return sum(a); };
#ifdef RICCI_FIXED
    const auto y = vmap(f)(x);
#else
    const auto y = apply_along_axis(f, 1, x);
#endif
    return static_cast<int>(y.size());
}
