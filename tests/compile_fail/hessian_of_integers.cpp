// expect: ricci: derivatives are taken with respect to floating or complex arguments
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<int, 1> i{1, 2};
    const auto f = [](auto a) { return sum(a * a); };
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::hessian(f)(ricci::astype<double>(i)).size());
#else
    return static_cast<int>(ricci::hessian(f)(i).size());
#endif
}
