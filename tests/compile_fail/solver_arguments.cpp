// expect: ricci: a function with rules of its own, a callback or a root's solver takes as many arguments as are given
#include <ricci/ricci.hpp>

int main() {
    const auto residual = [](auto x, auto a) { return x * x - a; };
#ifdef RICCI_FIXED
    const auto root = ricci::custom_root(residual, [](const auto& a) { return evaluate(sqrt(a)); });
#else
    const auto root =
        ricci::custom_root(residual, [](const auto& a, const auto& start) { return evaluate(start + sqrt(a)); });
#endif
    const ricci::tensor<double, 1> a{4, 9};
    return static_cast<int>(root(a).size());
}
