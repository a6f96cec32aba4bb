// expect only: ricci: has_aux comes last: vjp\(f, x, y, has_aux\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor v{1.0, 2.0};
    const auto f = [](auto x) { return ricci::tuple(x * x, sum(x)); };
#ifdef RICCI_FIXED
    const auto [y, pull, total] = ricci::vjp(f, v, ricci::has_aux);
#else
    const auto [y, pull, total] = ricci::vjp(f, ricci::has_aux, v);
#endif
    return sizeof y + sizeof pull + sizeof total == 0;
}
