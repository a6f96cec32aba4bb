// expect only: ricci: numpy.vectorize\(f\)\(x\) is map\(f, x\) here
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 2> x{{1, 2}, {3, 4}};
    const auto f = [](auto a) { return a * a; };
#ifdef RICCI_FIXED
    const auto y = map(f, x);
#else
    const auto y = vectorize(f);
#endif
    return static_cast<int>(y.size());
}
