// expect: ricci: members\(x\) of a struct of arrays must tie all of its members: transforms make the struct anew of those
#include <ricci/ricci.hpp>

template <class W>
struct layer {
    W weight;
#ifdef RICCI_FIXED
    static constexpr double slope = 2;
#else
    double slope = 1;
#endif
    friend auto members(const layer& l) { return std::tie(l.weight); }
};

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const auto loss = [](auto l) { return sum(l.weight * l.weight) * l.slope; };
    return static_cast<int>(ricci::grad(loss)(layer<ricci::tensor<double, 1>>{x}).weight.size());
}
