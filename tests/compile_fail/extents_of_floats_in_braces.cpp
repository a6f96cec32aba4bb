// expect only: ricci: extents are integers: zeros\(\{3, 4\}\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const int n = 3;
    const auto y = rc::zeros({n, n});
#else
    const double n = 3;
    const auto y = rc::zeros({n, n});
#endif
    return static_cast<int>(sizeof y);
}
