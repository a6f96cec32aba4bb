// expect: ricci: a shape stands in braces
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::random::integers(0, 10, {5}).size());
#else
    return static_cast<int>(ricci::random::integers(0, 10, 5).size());
#endif
}
