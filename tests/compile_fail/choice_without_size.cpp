// expect: ricci: choice is told how many
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::random::choice(x, {1}).size());
#else
    return static_cast<int>(ricci::random::choice(x).size());
#endif
}
