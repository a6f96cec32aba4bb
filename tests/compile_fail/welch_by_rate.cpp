// expect only: ricci: options of spectra are in braces
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = std::get<0>(ricci::signal::welch(v, {.rate = 100}));
#else
    const auto y = ricci::signal::welch(v, 100.0);
#endif
    return static_cast<int>(x.size() + v.size() + y.size());
}
