// expect: ricci: a shape stands in braces: x.reshape\(.3, 4.\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(x.reshape({4}).size());
#else
    return static_cast<int>(x.reshape(4, 1).size());
#endif
}
