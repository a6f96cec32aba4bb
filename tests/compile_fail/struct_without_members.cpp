// expect: ricci: an argument or a result of a transform is .* a struct that lists its members: friend auto members
#include <ricci/ricci.hpp>

struct plain {
    ricci::tensor<double, 1> weight;
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
