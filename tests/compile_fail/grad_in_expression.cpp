// expect only: ricci: grad\(f\) is a function: grad\(f\)\(x\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor v{1.0, 2.0};
    const auto f = [](auto x) { return sum(x * x); };
#ifdef RICCI_FIXED
    const tensor y = grad(f)(v) * v + 1;
#else
    const tensor y = grad(f, v) * v + 1;
#endif
    return static_cast<int>(y.size());
}
