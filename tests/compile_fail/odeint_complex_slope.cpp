// expect: ricci: the derivative is complex, so must the state be
#include <ricci/solvers.hpp>

int main() {
    using complex_t = std::complex<double>;
    const auto f = [](auto y, auto) { return complex_t(0, 1) * y; };
#ifdef RICCI_FIXED
    const ricci::tensor start{complex_t(1)};
#else
    const ricci::tensor start{1.0};
#endif
    return static_cast<int>(ricci::odeint(f, start, ricci::linspace(0, 1, 3)).size());
}
