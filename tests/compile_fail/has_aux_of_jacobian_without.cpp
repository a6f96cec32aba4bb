// expect only: ricci: has_aux wants a function that returns rc::tuple\(value, aux\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor v{1.0, 2.0};
#ifdef RICCI_FIXED
    const auto [slopes, total] = jacrev([](auto x) { return ricci::tuple(x * x, sum(x)); }, has_aux)(v);
#else
    const auto [slopes, total] = jacrev([](auto x) { return x * x; }, has_aux)(v);
#endif
    return sizeof slopes + sizeof total == 0;
}
