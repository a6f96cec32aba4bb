// expect: ricci: a function given to checkpoint, custom_vjp or custom_jvp captures a value that derivatives are taken
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{3, 4};
#ifdef RICCI_FIXED
    const auto f = [](auto a) { return ricci::checkpoint([](auto b, auto c) { return b * c; }, a * a, a); };
#else
    const auto f = [](auto a) { return ricci::checkpoint([a](auto b) { return b * a; }, a * a); };
#endif
    return static_cast<int>(std::get<1>(ricci::jvp(f, x, x)).size());
}
