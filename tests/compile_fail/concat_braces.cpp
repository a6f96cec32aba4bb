// expect: ricci: braces join arrays of one type, and expressions differ in theirs: write rc::tuple.a, b. for {a, b}
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    return static_cast<int>(ricci::grad([](auto v) {
#ifdef RICCI_FIXED
        return sum(ricci::concat(ricci::tuple(v, 2 * v)) * 2);
#else
        return sum(ricci::concat({v, 2 * v}) * 2);
#endif
    })(x).size());
}
