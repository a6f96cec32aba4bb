// expect: ricci: a transform takes a lambda and options of its own: .*aux being one of several results
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor v{1.0, 2.0};
    const auto f = [](auto x) { return ricci::tuple(x * x, sum(x)); };
#ifdef RICCI_FIXED
    const auto [of_square, of_sum] = ricci::jacrev(f)(v);
    return static_cast<int>(of_square.size() + of_sum.size());
#else
    return static_cast<int>(ricci::jacrev(f, ricci::has_aux)(v).size());
#endif
}
