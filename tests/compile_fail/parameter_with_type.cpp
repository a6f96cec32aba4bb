// expect only: ricci: a transform calls its function with what it records, so the parameters are auto
#include <ricci/ricci.hpp>
#include <vector>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    const auto y = ricci::grad([](auto p) { return p(0) * p(1); })(x);
#else
    const auto y = ricci::grad([](std::vector<double> p) { return p[0] * p[1]; })(x);
#endif
    return static_cast<int>(sizeof y);
}
