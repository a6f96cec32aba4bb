// expect only: ricci: an array of one value is made by full\(\{3, 4\}, 0.5\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
#ifdef RICCI_FIXED
    const tensor<double, 2> y = full({3, 4}, 0.5);
#else
    const tensor<double, 2> y({3, 4}, 0.5);
#endif
    return static_cast<int>(y.size());
}
