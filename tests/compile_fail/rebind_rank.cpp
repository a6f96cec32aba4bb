// expect: ricci: the expression's rank is not the tensor's rank
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
    ricci::tensor<double, 1> y;
#ifdef RICCI_FIXED
    y = x(0, ricci::all);
#else
    y = x;
#endif
}
