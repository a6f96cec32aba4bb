// expect: ricci: the function of a transform returns its result
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
    ricci::vmap([](auto v) {
#ifdef RICCI_FIXED
        return 2 * v;
#else
        static_cast<void>(2 * v);
#endif
    })(x);
}
