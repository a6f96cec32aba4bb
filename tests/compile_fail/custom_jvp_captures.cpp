// expect: ricci: a function given to checkpoint, custom_vjp or custom_jvp captures a value that derivatives are taken
#include <ricci/ricci.hpp>

int main() {
    const ricci::variable<double, 1> w{1, 2}, x{3, 4};
    const auto rule = [](auto primals, auto tangents) {
        const auto y = ricci::evaluate(std::get<0>(primals) * 2.0);
        return ricci::tuple(y, ricci::evaluate(std::get<0>(tangents) * 2.0));
    };
#ifdef RICCI_FIXED
    backward(sum(ricci::custom_jvp([](auto a) { return a * 2.0; }, rule)(x)));
#else
    backward(sum(ricci::custom_jvp([w](auto a) { return a * w; }, rule)(x)));
#endif
    return x.grad().size() == 2;
}
