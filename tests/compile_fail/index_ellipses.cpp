// expect: ricci: at most one ellipsis in an index
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(x(ricci::ellipsis, 0).size());
#else
    return static_cast<int>(x(ricci::ellipsis, 0, ricci::ellipsis).size());
#endif
}
