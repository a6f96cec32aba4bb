// expect: ricci: the arguments live on different devices
#include <ricci/ricci.hpp>

// Memory that the host cannot read, as far as the types know.
struct far_device {
    static constexpr const char* name = "far";
    static ricci::storage allocate(std::size_t bytes) { return ricci::storage::allocate(bytes); }
};
using other = ricci::tensor<double, 1, far_device>;

int main() {
    const ricci::tensor<double, 1> a{1, 2};
    const other b;
#ifdef RICCI_FIXED
    const auto y = a + a;
    return static_cast<int>(y.size() + b.size());
#else
    const auto y = a + b;
    return static_cast<int>(y.size());
#endif
}
