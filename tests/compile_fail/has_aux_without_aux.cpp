// expect: ricci: has_aux wants a function that returns rc::tuple\(value, aux\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor v{1.0, 2.0};
#ifdef RICCI_FIXED
    const auto [slope, count] = grad([](auto x) { return ricci::tuple(sum(x * x), x.size()); }, has_aux)(v);
#else
    const auto [slope, count] = grad([](auto x) { return sum(x * x); }, has_aux)(v);
#endif
    return static_cast<int>(slope.size() + count);
}
