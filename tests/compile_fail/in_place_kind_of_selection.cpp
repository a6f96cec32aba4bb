// expect: ricci: x \+= y gives another kind of numbers
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<int, 1> k{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>((k(k > 0) *= 2, k).size());
#else
    return static_cast<int>((k(k > 0) *= 0.5, k).size());
#endif
}
