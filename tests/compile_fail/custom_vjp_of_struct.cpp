// expect only: ricci: functions by custom_vjp and custom_jvp take arrays and numbers: those of a struct or a tuple one by one
#include <ricci/ricci.hpp>

template <class W>
struct layer {
    W weight;
    friend auto members(const layer& l) { return std::tie(l.weight); }
};

int main() {
    const auto value = [](auto w) { return sum(w * w); };
    const auto f = ricci::custom_vjp(
        value, [=](auto w) { return ricci::tuple(value(w), w); }, [](auto w, auto bar) { return 2 * bar * w; });
    const layer<ricci::tensor<double, 1>> l{{1, 2}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::grad([=](auto l) { return f(l.weight); })(l).weight.size());
#else
    return static_cast<int>(ricci::grad([=](auto l) { return f(l); })(l).weight.size());
#endif
}
