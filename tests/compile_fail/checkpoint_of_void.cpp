// expect only: ricci: the function of checkpoint returns its result, here it returns nothing
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    const auto f = [](auto a) { return a * a; };
#else
    const auto f = [](auto a) { static_cast<void>(a * a); };
#endif
    return static_cast<int>(ricci::grad([f](auto a) { return sum(checkpoint(f, a)); })(x).size());
}
