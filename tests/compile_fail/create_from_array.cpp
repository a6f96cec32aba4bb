// expect: constraints|constraint|no matching function
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::zeros<double>({2, 3}).size());
#else
    return static_cast<int>(ricci::zeros<double>({2.0, 3.0}).size());
#endif
}
