// expect: ricci: permute needs one axis number for each axis
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::permute(x, {1, 0}).size());
#else
    return static_cast<int>(ricci::permute(x, {0}).size());
#endif
}
