// expect: ricci: grad takes functions with a floating result: integers and truths have no derivative
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    const auto [slope, found] = grad([](auto a) { return ricci::tuple(sum(a), any(a > 1)); }, has_aux)(x);
#else
    const auto [slope, found] = grad([](auto a) { return ricci::tuple(any(a > 1), sum(a)); }, has_aux)(x);
#endif
    return static_cast<int>(slope.size() + found.size());
}
