// expect: ricci: an operator or preconditioner captures no value of grad, jvp or vmap
#include <ricci/ricci.hpp>

int main() {
    const auto f = [](auto k) {
        const auto b = ricci::ones({3});
#ifdef RICCI_FIXED
        const auto result = ricci::cg([](auto x, auto p) { return evaluate(p * x); }, b, {}, {}, k);
#else
        const auto result = ricci::cg([k](auto x) { return evaluate(k * x); }, b);
#endif
        return sum(result.x);
    };
    return static_cast<int>(ricci::grad(f)(ricci::tensor<double, 1>{1, 2, 4}).size());
}
