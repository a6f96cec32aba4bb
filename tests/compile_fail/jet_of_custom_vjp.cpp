// expect: ricci: a custom_vjp function has no forward mode
#include <ricci/ricci.hpp>

int main() {
    const auto f = ricci::custom_vjp([](auto x) { return sum(x * x); },
                                     [](auto x) { return ricci::tuple(sum(x * x), x); },
                                     [](auto x, auto bar) { return 2 * bar * x; });
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::grad(f)(x).size());
#else
    return static_cast<int>(std::get<0>(ricci::jet(f, x, ricci::tuple(x, x))).size());
#endif
}
