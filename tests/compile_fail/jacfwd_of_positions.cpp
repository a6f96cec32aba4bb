// expect: ricci: jacfwd takes functions of floating results: integers and truths have no derivative
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::jacfwd([](auto a) { return max(a); })(x).size());
#else
    return static_cast<int>(ricci::jacfwd([](auto a) { return argmax(a); })(x).size());
#endif
}
