// expect: ricci: bitwise functions take integers and truth values
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<float, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>((ricci::astype<int>(x) & 1).size());
#else
    return static_cast<int>((x & 1).size());
#endif
}
