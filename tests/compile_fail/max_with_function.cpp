// expect: ricci: the axes of a reduction are an integer
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::max(x, 0).size());
#else
    return static_cast<int>(ricci::max(x, [](auto a) { return a; }).size());
#endif
}
