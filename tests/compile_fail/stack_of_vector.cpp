// expect only: ricci: a vector or span becomes an array by from_span\(v\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const std::vector<double> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = from_span(v);
#else
    const auto y = stack(v);
#endif
    return static_cast<int>(y.size());
}
