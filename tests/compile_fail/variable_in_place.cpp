// expect: ricci: a map, or a value under a transform, is not changed in place
#include <ricci/ricci.hpp>

int main() {
    ricci::variable<double, 1> w = ricci::zeros<double>({3});
    backward(sum(w * w));
#ifdef RICCI_FIXED
    w.value() -= 0.1 * w.grad();
#else
    w -= 0.1 * w.grad();
#endif
}
