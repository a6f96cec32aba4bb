// expect: ricci: x \+= y gives another kind of numbers than x holds
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<int, 1> x{7, 8};
#ifdef RICCI_FIXED
    x({0, 0}).multiply(2);
#else
    x({0, 0}).multiply(0.5);
#endif
    return x(0);
}
