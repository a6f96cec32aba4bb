// expect: elements.*copied.by.from_span.*viewed.by.borrow
#include <ricci/ricci.hpp>
#include <vector>

int main() {
    std::vector<double> v{1, 2};
#ifdef RICCI_FIXED
    ricci::tensor<double, 1> x = ricci::from_span(std::span(v));
    return static_cast<int>(x.size());
#else
    ricci::tensor<double, 1> x(v);
    return static_cast<int>(x.size());
#endif
}
