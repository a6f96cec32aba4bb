// expect: ricci: arange takes a start, a stop and a step
#include <ricci/ricci.hpp>

int main() {
    const int n = 0;
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::arange(n, 10, 2).size());
#else
    return static_cast<int>(ricci::arange(n, 10, 2, 1).size());
#endif
}
