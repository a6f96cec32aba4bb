// expect: ricci: a function given to checkpoint, custom_vjp or custom_jvp captures a value that derivatives are taken
#include <ricci/ricci.hpp>

int main() {
    const ricci::variable<double, 1> w{1, 2}, x{3, 4};
#ifdef RICCI_FIXED
    backward(sum(ricci::checkpoint([](auto a, auto b) { return a * b; }, x, w)));
#else
    backward(sum(ricci::checkpoint([w](auto a) { return a * w; }, x)));
#endif
    return x.grad().size() == 2;
}
