// expect: ricci: jvp takes the arguments and their tangents, too
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const auto f = [](auto a) { return a * a; };
#ifdef RICCI_FIXED
    return static_cast<int>(std::get<1>(ricci::jvp(f, x, x)).size());
#else
    return static_cast<int>(ricci::jvp(f)(x, x).size());
#endif
}
