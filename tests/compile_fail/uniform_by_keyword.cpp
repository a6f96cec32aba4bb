// expect only: ricci: the parameters come before the shape
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
#ifdef RICCI_FIXED
    const auto y = rc::random::uniform({});
#else
    const auto y = rc::random::uniform({.low = 0.0, .high = 1.0});
#endif
    return static_cast<int>(sizeof y);
}
