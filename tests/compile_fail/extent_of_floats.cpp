// expect: ricci: extents are integers: rand
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    const auto x = ricci::rand(3);
#else
    const auto x = ricci::rand(3.0);
#endif
    return static_cast<int>(sizeof(x));
}
