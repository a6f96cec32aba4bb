// expect: ricci: a tensor's braces are nested as deep as its rank
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    auto x = ricci::zeros<double>({3, 4});
    return static_cast<int>(x.size());
#else
    ricci::tensor<double, 2> x(3, 4);
    return static_cast<int>(x.size());
#endif
}
