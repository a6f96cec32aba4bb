// expect: ricci: under vmap a value is one for each member
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<int, 2> k{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::zeros(max(k)).size());
#else
    return static_cast<int>(ricci::vmap([](auto row) { return ricci::zeros(max(row)); })(k).size());
#endif
}
