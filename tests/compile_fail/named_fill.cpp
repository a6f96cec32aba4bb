// expect: ricci: a named tensor is not filled by
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    x(ricci::ellipsis) = 1.0;
#else
    x = 1.0;
#endif
}
