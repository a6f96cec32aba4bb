// expect: ricci: zeros takes a shape
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::full({2, 3}, 1.0f).size());
#else
    return static_cast<int>(ricci::zeros({2, 3}, 1.0f).size());
#endif
}
