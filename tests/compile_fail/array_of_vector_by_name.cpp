// expect only: ricci: numpy.array is tensor\{1.0, 2.0\} here.* of a vector from_span\(v\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const std::vector<double> v{1, 2};
#ifdef RICCI_FIXED
    const auto y = from_span(v);
#else
    const auto y = ricci::array(v);
#endif
    return static_cast<int>(y.size());
}
