// expect: ricci: a transform takes a lambda and options of its own: derivatives argnums<0, 2>
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor v{1.0, 2.0};
    const auto f = [](auto x, auto y) { return sum(x * y); };
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::grad(f, ricci::argnums<1>)(v, v).size());
#else
    return static_cast<int>(ricci::grad(f, 1)(v, v).size());
#endif
}
