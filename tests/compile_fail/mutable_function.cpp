// expect: ricci: the function of a transform takes as many arguments
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 1> x{1, 2};
    int calls = 0;
#ifdef RICCI_FIXED
    const auto g = ricci::grad([&calls](auto v) { return ++calls, sum(v); })(x);
    return static_cast<int>(g.size());
#else
    const auto g = ricci::grad([calls](auto v) mutable { return ++calls, sum(v); })(x);
    return static_cast<int>(g.size());
#endif
}
