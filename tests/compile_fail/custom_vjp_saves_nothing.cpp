// expect: ricci: the forward function of custom_vjp returns the value and what the backward one needs
#include <ricci/ricci.hpp>

int main() {
    const auto f = ricci::custom_vjp([](auto x) { return sum(x * x); },
#ifdef RICCI_FIXED
                                     [](auto x) { return ricci::tuple(sum(x * x), x); },
#else
                                     [](auto x) { return sum(x * x); },
#endif
                                     [](auto x, auto bar) { return 2 * bar * x; });
    const ricci::tensor<double, 1> x{1, 2};
    return static_cast<int>(ricci::grad(f)(x).size());
}
