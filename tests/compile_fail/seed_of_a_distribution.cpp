// expect: ricci: a seed makes a generator
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::random::normal(0, 1, {3}, ricci::generator(42)).size());
#else
    return static_cast<int>(ricci::random::normal(0, 1, {3}, 42).size());
#endif
}
