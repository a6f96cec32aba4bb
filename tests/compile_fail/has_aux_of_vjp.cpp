// expect only: ricci: has_aux is of grad; for vjp aux is one of several results
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor v{1.0, 2.0};
    const auto f = [](auto x) { return ricci::tuple(x * x, sum(x)); };
#ifdef RICCI_FIXED
    const auto [y, pull] = ricci::vjp(f, v);
    return static_cast<int>(pull(ricci::tuple(v, zeros_like(std::get<1>(y)))).size());
#else
    static_cast<void>(ricci::vjp(f, v, ricci::has_aux));
#endif
}
