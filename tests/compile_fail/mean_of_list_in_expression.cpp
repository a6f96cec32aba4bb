// expect only: ricci: a vector or span becomes an array by from_span
#include <ricci/ricci.hpp>

#include <vector>

int main() {
    using namespace ricci;
    const tensor v{1.0, 2.0};
    const std::vector<double> list{1.0, 2.0};
#ifdef RICCI_FIXED
    const tensor y = mean(from_span(list)) * v + 1;
#else
    const tensor y = mean(list) * v + 1;
#endif
    return static_cast<int>(y.size());
}
