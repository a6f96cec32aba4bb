// expect only: ricci: the axes of a reduction are an integer
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor v{1.0, 2.0};
#ifdef RICCI_FIXED
    const tensor y = exp(sum(v, 0)) * v + 1;
#else
    const tensor y = exp(sum(v, 0.5)) * v + 1;
#endif
    return static_cast<int>(y.size());
}
