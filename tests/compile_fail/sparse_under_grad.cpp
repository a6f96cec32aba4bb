// expect: ricci: sparse derivatives are computed at a plain vector on the CPU
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
    const auto f = [](const auto& v) { return evaluate(v * v * v); };
    const auto entries = [f](const auto& v) { return sum(square(ricci::sparse_jacobian(f)(v).values())); };
#ifdef RICCI_FIXED
    return static_cast<int>(entries(x));
#else
    return static_cast<int>(ricci::grad(entries)(x).size());
#endif
}
