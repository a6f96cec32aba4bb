// expect: deleted.*operators.take.arrays.and.numbers
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    x += 1;
#else
    x += "1";
#endif
    return static_cast<int>(x.size());
}
