// expect only: ricci: a backward rule gives the adjoint of an argument in the argument's structure
#include <ricci/ricci.hpp>

template <class W, class B>
struct layer {
    W weight;
    B bias;
    friend auto members(const layer& l) { return std::tie(l.weight, l.bias); }
};
template <class W, class B>
layer(W, B) -> layer<W, B>;

int main() {
    const auto value = [](auto l) { return sum(l.weight * l.bias); };
    const auto f = ricci::custom_vjp(
        value, [=](auto l) { return ricci::tuple(value(l), l); },
        [](auto l, auto bar) {
            const auto weight = ricci::evaluate(bar * l.bias);
#ifdef RICCI_FIXED
            return layer{weight, ricci::evaluate(bar * l.weight)};
#else
            return weight;
#endif
        });
    const ricci::tensor<double, 1> w{1, 2};
    return static_cast<int>(ricci::grad(f)(layer{w, w}).weight.size());
}
