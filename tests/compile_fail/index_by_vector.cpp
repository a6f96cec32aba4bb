// expect only: ricci: index with integers, ricci::slice, ricci::all, ricci::ellipsis, ricci::newaxis and arrays
#include <ricci/ricci.hpp>

#include <vector>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
    const std::vector<int> i{0, 2};
#ifdef RICCI_FIXED
    const auto y = evaluate(x(ricci::from_span(i)));
#else
    const auto y = x(i);
#endif
    return static_cast<int>(y.size());
}
