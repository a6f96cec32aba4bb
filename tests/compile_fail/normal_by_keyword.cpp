// expect only: ricci: the parameters come before the shape
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
#ifdef RICCI_FIXED
    const auto y = rc::random::normal(0.0, 1.0, {3, 4});
#else
    const auto y = rc::random::normal({.mean = 0.0, .stddev = 1.0, .size = {3, 4}});
#endif
    return static_cast<int>(sizeof y);
}
