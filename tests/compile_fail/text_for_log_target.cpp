// expect: ricci: here stands true or false
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{-2, -1}, {-1, -3}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::kl_div(x, x, true).item());
#else
    return static_cast<int>(ricci::kl_div(x, x, "batchmean").item());
#endif
}
