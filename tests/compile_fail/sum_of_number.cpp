// expect only: ricci: sum takes an array, not a number: .* the rows of x are x\(i\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    double y = 0;
    for (int i = 0; i < x.shape(0); ++i) y += sum(x(i));
#else
    double y = 0;
    for (auto row : x) y += sum(row);
#endif
    return static_cast<int>(y);
}
