// expect: ricci: a correction comes after what is kept
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(stddev(x, 0, {}, 1).size());
#else
    return static_cast<int>(stddev(x, 0, 1).size());
#endif
}
