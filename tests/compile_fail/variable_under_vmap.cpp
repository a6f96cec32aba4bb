// expect: ricci: a variable is made of a tensor, not of a value under grad, jvp or vmap
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
    const auto g = ricci::vmap([](auto row) {
#ifdef RICCI_FIXED
        return ricci::grad([](auto w) { return sum(w * w); })(row);
#else
        ricci::variable w(row);
        ricci::backward(ricci::sum(w * w));
        return w.grad();
#endif
    })(x);
    return static_cast<int>(g.size());
}
