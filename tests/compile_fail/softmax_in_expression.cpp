// expect only: ricci: softmax is along an axis
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor v{1.0, 2.0};
#ifdef RICCI_FIXED
    const tensor y = softmax(v, 0) * v + 1;
#else
    const tensor y = softmax(v) * v + 1;
#endif
    return static_cast<int>(y.size());
}
