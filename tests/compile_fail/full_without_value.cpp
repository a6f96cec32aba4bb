// expect: ricci: full is told the value
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::full({2, 3}, 1.5).size());
#else
    return static_cast<int>(ricci::full({2, 3}).size());
#endif
}
