// expect: ricci: a rank is not negative
#include <ricci/core/shape.hpp>

#ifdef RICCI_FIXED
constexpr int rank = 2;
#else
constexpr int rank = -1;
#endif

int main() {
    ricci::shape<rank> s;
    return s.size() == rank ? 0 : 1;
}
