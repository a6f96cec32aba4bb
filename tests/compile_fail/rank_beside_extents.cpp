// expect only: ricci: the extents say the rank: zeros<double>
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    const auto x = ricci::zeros<double>({3, 4});
#else
    const auto x = ricci::zeros<double, 2>({3, 4});
#endif
    return static_cast<int>(sizeof(x));
}
