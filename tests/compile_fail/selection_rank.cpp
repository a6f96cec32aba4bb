// expect: ricci: the right side has more dimensions than the selection
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    x({0, 1}, {1, 0}) = x(0);
#else
    x({0, 1}, {1, 0}) = x;
#endif
}
