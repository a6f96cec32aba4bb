// expect: ricci: jet needs as many derivatives of each argument
#include <ricci/ricci.hpp>

int main() {
    const auto f = [](auto x, auto y) { return sum(x * y); };
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    const auto of_y = ricci::tuple(x, x);
#else
    const auto of_y = ricci::tuple(x);
#endif
    return static_cast<int>(std::get<0>(ricci::jet(f, ricci::tuple(x, x), ricci::tuple(ricci::tuple(x, x), of_y))).size());
}
