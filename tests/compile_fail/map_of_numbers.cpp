// expect: ricci: a function of numbers, \[\]\(double a\) \{ ... \}, has a value but no derivative in map
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    const auto f = [](auto x) { return sum(map([](auto a) { return a * a; }, x)); };
#else
    const auto f = [](auto x) { return sum(map([](double a) { return a * a; }, x)); };
#endif
    return static_cast<int>(ricci::grad(f)(ricci::tensor<double, 1>{1, 2}).size());
}
