// expect only: ricci: the axes decide about the rank: flatten<1>\(x\), flatten<0, 1>\(x\)
#include <ricci/ricci.hpp>

int main() {
    const auto x = ricci::ones({2, 3, 4});
#ifdef RICCI_FIXED
    return static_cast<int>(flatten<1>(x).size());
#else
    return static_cast<int>(flatten(x, 1).size());
#endif
}
