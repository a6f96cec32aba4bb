// expect: ricci: x \+= y gives another kind of numbers
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<int, 1> k{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>((k += 5).size());
#else
    return static_cast<int>((k += 0.5).size());
#endif
}
