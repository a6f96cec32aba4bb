// expect: ricci: extents are integers
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
#ifdef RICCI_FIXED
    return static_cast<int>(x.reshape(4).size());
#else
    return static_cast<int>(x.reshape("4").size());
#endif
}
