// expect: ricci: the right side is under a transform that the name on the left is not under
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const auto f = [](auto a) {
        return sum(ricci::grad([a](auto b) {
#ifdef RICCI_FIXED
            auto state = lift(a, b);
#else
            auto state = a;
#endif
            state = state * b;
            return sum(state);
        })(a));
    };
    return static_cast<int>(ricci::grad(f)(x).size());
}
