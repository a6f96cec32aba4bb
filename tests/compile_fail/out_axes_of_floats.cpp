// expect: ricci: out_axes takes an integer, or none, for each result
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    using namespace ricci;
#ifdef RICCI_FIXED
    return static_cast<int>(vmap([](auto a) { return a * a; }, in_axes(0), out_axes(0))(x).size());
#else
    return static_cast<int>(vmap([](auto a) { return a * a; }, in_axes(0), out_axes(0.5))(x).size());
#endif
}
