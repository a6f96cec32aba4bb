// expect only: ricci: reduced axes are kept by `keepdims`: sum\(x, 0, keepdims\)
#include <ricci/ricci.hpp>

int main() {
    const auto x = ricci::ones({3, 4});
#ifdef RICCI_FIXED
    static_cast<void>(std_mean(x, 1, ricci::keepdims));
#else
    static_cast<void>(std_mean(x, 1, true));
#endif
}
