// expect: ricci: the axes of a reduction are an integer
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(mean(x, 1).size());
#else
    return static_cast<int>(mean(x, 1.0).size());
#endif
}
