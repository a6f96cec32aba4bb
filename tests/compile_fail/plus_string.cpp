// expect: deleted.*operators.take.arrays.and.numbers
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = x + 1;
    return static_cast<int>(y.size());
#else
    const auto y = x + std::string("1");
    return static_cast<int>(y.size());
#endif
}
