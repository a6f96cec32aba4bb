// expect only: ricci: the shape that full takes stands in braces: full.*1.5
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    const auto x = ricci::full({2, 3}, 1.5);
#else
    const auto x = ricci::full(2, 3, 1.5);
#endif
    return static_cast<int>(x.size());
}
