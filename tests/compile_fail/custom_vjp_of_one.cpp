// expect only: ricci: custom_vjp is told f, its forward and its backward function
#include <ricci/ricci.hpp>

int main() {
    const auto f = [](auto x) { return sum(x * x); };
    const auto backward = [](auto x, auto bar) { return 2 * bar * x; };
#ifdef RICCI_FIXED
    const auto g = ricci::custom_vjp(f, [](auto x) { return ricci::tuple(sum(x * x), x); }, backward);
#else
    const auto g = ricci::custom_vjp(f, backward);
#endif
    const ricci::tensor<double, 1> x{1, 2};
    return static_cast<int>(ricci::grad(g)(x).size());
}
