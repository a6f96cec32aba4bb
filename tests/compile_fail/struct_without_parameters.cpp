// expect: ricci: a struct of arrays is a template of its members' types, which differ inside of a transform
#include <ricci/ricci.hpp>

struct plain {
    ricci::tensor<double, 1> weight;
    friend auto members(const plain& p) { return std::tie(p.weight); }
};
template <class W>
struct general {
    W weight;
    friend auto members(const general& p) { return std::tie(p.weight); }
};

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const auto loss = [](auto p) { return sum(p.weight * p.weight); };
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::grad(loss)(general<ricci::tensor<double, 1>>{x}).weight.size());
#else
    return static_cast<int>(ricci::grad(loss)(plain{x}).weight.size());
#endif
}
