// expect only: ricci: the rules of a function give its values, and tangents, in the structure of its result
#include <ricci/ricci.hpp>

int main() {
    const auto f = ricci::custom_jvp([](auto x) { return ricci::tuple(x * 2.0, x); },
                                     [](auto primals, auto tangents) {
                                         const auto [x] = primals;
                                         const auto [dx] = tangents;
#ifdef RICCI_FIXED
                                         return ricci::tuple(ricci::tuple(x * 2.0, x), ricci::tuple(dx * 2.0, dx));
#else
                                         return ricci::tuple(ricci::tuple(x * 2.0, x), dx * 2.0);
#endif
                                     });
    const ricci::tensor<double, 1> x{1, 2};
    return static_cast<int>(std::get<0>(std::get<1>(ricci::jvp(f, x, x))).size());
}
