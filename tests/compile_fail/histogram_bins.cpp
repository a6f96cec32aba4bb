// expect: ricci: histogram takes a whole number of bins, then their range
#include <ricci/ricci.hpp>

using namespace ricci;

int main() {
    const tensor<double, 1> x{1, 2, 4};
#ifdef RICCI_FIXED
    const auto y = histogram(x, 10, 0.0, 4.0);
#else
    const auto y = histogram(x, 0.0, 4.0, 10);
#endif
    return static_cast<int>(std::get<0>(y).size()) == 0;
}
