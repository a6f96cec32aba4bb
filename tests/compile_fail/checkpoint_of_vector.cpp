// expect: ricci: checkpoint takes tuples and structs of arrays, but no std::vectors of them
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const auto f = [](const auto& pair) { return sum(std::get<0>(pair) * std::get<1>(pair)); };
#ifdef RICCI_FIXED
    return static_cast<int>(evaluate(ricci::checkpoint(f, ricci::tuple(x, x))).size());
#else
    const auto g = [](const auto& list) { return sum(list[0] * list[1]); };
    return static_cast<int>(evaluate(ricci::checkpoint(g, std::vector{x, x})).size());
#endif
}
