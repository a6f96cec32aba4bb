// expect: ricci: index with integers, ricci::slice.*arrays of integers
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(x(ricci::tensor<int, 1>{0, 1}).size());
#else
    return static_cast<int>(x(ricci::tensor<double, 1>{0, 1}).size());
#endif
}
