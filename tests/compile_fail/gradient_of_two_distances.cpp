// expect: ricci: gradient takes a distance for each axis in braces: gradient\(y, {0.1, 0.2}\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
#ifdef RICCI_FIXED
    return gradient(ones(3, 4), {0.1, 0.2})[0](0, 0) > 0;
#else
    return gradient(ones(3, 4), 0.1, 0.2)[0](0, 0) > 0;
#endif
}
