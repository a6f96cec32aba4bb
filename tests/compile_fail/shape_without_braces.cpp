// expect: ricci: a shape stands in braces
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::zeros<double>({3, 4}).size());
#else
    return static_cast<int>(ricci::zeros<double>(3, 4).size());
#endif
}
