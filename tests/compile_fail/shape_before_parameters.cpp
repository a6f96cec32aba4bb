// expect: ricci: the parameters come before the shape
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::random::normal(0, 1, {3, 4}).size());
#else
    return static_cast<int>(ricci::random::normal({3, 4}, 0, 1).size());
#endif
}
