// expect: ricci: an expression, .auto y = a \* b., .* and what has a constant name are not changed in place
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    const auto g = ricci::grad([](auto v) {
        auto s = sum(v);
        s += v(0);
        return s;
    })(x);
    return static_cast<int>(g.size());
#else
    const auto g = ricci::grad([](auto v) {
        const auto s = sum(v);
        s += v(0);
        return s;
    })(x);
    return static_cast<int>(g.size());
#endif
}
