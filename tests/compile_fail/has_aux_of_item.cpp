// expect: ricci: the function of a derivative returns a plain number, which depends on no argument: keep values as auto
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor v{1.0, 2.0};
#ifdef RICCI_FIXED
    const auto f = [](auto x) { return ricci::tuple(sum(x * x), x); };
#else
    const auto f = [](auto x) { return ricci::tuple(sum(x * x).item(), x); };
#endif
    const auto [value, slope] = value_and_grad(f, has_aux)(v);
    return static_cast<int>(slope.size());
}
