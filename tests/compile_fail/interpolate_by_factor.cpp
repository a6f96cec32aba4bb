// expect only: ricci: interpolate takes the extents that pictures are to have: interpolate\(x, {64, 64}\)
#include <ricci/ricci.hpp>

int main() {
    const auto x = ricci::ones({1, 1, 4, 4});
#ifdef RICCI_FIXED
    const auto y = interpolate(x, {8, 8});
#else
    const auto y = interpolate(x, 2.0);
#endif
    return static_cast<int>(sizeof y);
}
