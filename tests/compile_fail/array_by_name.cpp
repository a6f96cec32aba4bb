// expect only: ricci: numpy.array is tensor\{1.0, 2.0\} here
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
#ifdef RICCI_FIXED
    const tensor y{{1.0, 2.0}, {3.0, 4.0}};
#else
    const auto y = ricci::array({{1.0, 2.0}, {3.0, 4.0}});
#endif
    return static_cast<int>(y.size());
}
