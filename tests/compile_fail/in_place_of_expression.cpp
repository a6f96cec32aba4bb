// expect: not changed in place: .auto y = evaluate\(a \* b\). is an array, which y .= e changes
#include <ricci/ricci.hpp>

int main() {
    const auto f = [](auto x) {
#ifdef RICCI_FIXED
        auto y = evaluate(x * x);
#else
        auto y = x * x;
#endif
        y /= sum(y);
        return sum(y);
    };
    const ricci::tensor<double, 1> x{1, 2};
    return static_cast<int>(f(x)) + static_cast<int>(ricci::grad(f)(x).size());
}
