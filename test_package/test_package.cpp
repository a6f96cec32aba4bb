#include <ricci/ricci.hpp>

#include <cstdio>

int main() {
    const ricci::tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    const double total = ricci::sum(x * 2.0);
    std::printf("ricci %d.%d.%d: %g\n", RICCI_VERSION_MAJOR, RICCI_VERSION_MINOR, RICCI_VERSION_PATCH, total);
    return total == 42.0 ? 0 : 1;
}
