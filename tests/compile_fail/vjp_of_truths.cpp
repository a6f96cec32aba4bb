// expect: ricci: vjp and jacrev take functions of floating or complex results: integers and truths have no derivative
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(std::get<0>(ricci::vjp([](auto a) { return a * a; }, x)).size());
#else
    return static_cast<int>(std::get<0>(ricci::vjp([](auto a) { return a > 1; }, x)).size());
#endif
}
