// expect: ricci: a dual or series, as derivative and derivatives give them to functions of a number, is no operand beside arrays
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> v{1, 2};
    const auto f = [&](auto t) { return sum(sin(v * t)); };
#ifdef RICCI_FIXED
    const auto [y, d] = ricci::jet(f, 0.3, ricci::tuple(1.0, 0.0));
    return static_cast<int>(std::get<1>(d).item());
#else
    return static_cast<int>(ricci::derivatives<2>(f, 0.3)[1]);
#endif
}
