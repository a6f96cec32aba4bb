// expect: ricci: braces join arrays of one type, and expressions differ in theirs: write rc::tuple.a, b. for {a, b}
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::stack(ricci::tuple(x, 2 * x)).size());
#else
    ricci::stack({x, 2 * x});
    return 0;
#endif
}
