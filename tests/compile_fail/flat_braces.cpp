// expect: ricci: a tensor's braces are nested as deep as its rank
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    ricci::tensor<double, 2> x{{1.5, 2.5, 3.5}};
    return static_cast<int>(x.size());
#else
    ricci::tensor<double, 2> x{1.5, 2.5, 3.5};
    return static_cast<int>(x.size());
#endif
}
