// expect: ricci: finfo is of floating types; iinfo is of integers
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::iinfo<int>().max);
#else
    return static_cast<int>(ricci::finfo<int>().max);
#endif
}
