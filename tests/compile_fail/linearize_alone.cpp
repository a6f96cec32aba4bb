// expect: ricci: linearize takes the arguments, too
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const auto f = [](auto a) { return a * a; };
#ifdef RICCI_FIXED
    return static_cast<int>(std::get<1>(ricci::linearize(f, x))(x).size());
#else
    return static_cast<int>(ricci::linearize(f)(x).size());
#endif
}
