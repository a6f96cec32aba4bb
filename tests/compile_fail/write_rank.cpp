// expect: ricci: the right side has more dimensions than the view it is assigned to
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    x(0, ricci::all) = ricci::sum(x, 0);
#else
    x(0, ricci::all) = x;
#endif
}
