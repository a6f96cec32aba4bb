// expect: ricci: a transform calls its function with what it records, so the parameters are auto
#include <ricci/ricci.hpp>

#ifdef RICCI_FIXED
constexpr auto f = [](const auto& x) { return x * x; };
#else
ricci::tensor<double, 1> f(const ricci::tensor<double, 1>& x) { return x * x; }
#endif

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    return static_cast<int>(ricci::jacfwd(f)(x).size());
}
