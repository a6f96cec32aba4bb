// expect: deleted.*operators.take.arrays.and.numbers
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = x % 2;
#else
    const auto y = x % "2";
#endif
    return static_cast<int>(y.size());
}
