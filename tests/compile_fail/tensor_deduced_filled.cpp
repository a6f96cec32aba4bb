// expect only: ricci: an array of one value is made by full\(\{3, 4\}, 0.5\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
#ifdef RICCI_FIXED
    const auto y = full({3, 4}, 0.5);
#else
    const auto y = tensor({3, 4}, 0.5);
#endif
    return static_cast<int>(y.size());
}
