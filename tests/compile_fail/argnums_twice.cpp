// expect: ricci: argnums name an argument twice
#include <ricci/ricci.hpp>

int main() {
    const auto f = [](auto x, auto y) { return sum(x * y); };
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto both = ricci::grad(f, ricci::argnums<0, -1>)(v, v);
#else
    const auto both = ricci::grad(f, ricci::argnums<1, -1>)(v, v);
#endif
    return std::get<0>(both).size() == 2;
}
