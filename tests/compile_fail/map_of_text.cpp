// expect: ricci: map takes a function, then expressions and numbers
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::map([](auto a, auto b) { return a * b; }, x, 2).size());
#else
    return static_cast<int>(ricci::map([](auto a, auto b) { return a * b; }, x, "2").size());
#endif
}
