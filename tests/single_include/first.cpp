// With second.cpp: two translation units of one program, each with the single header.
#include <ricci/ricci.hpp>

#include <cstdio>

double sum_in_second(const ricci::tensor<double, 1>& x);

int main() {
    const ricci::tensor<double, 1> x{1.0, 2.0, 3.0};
    const double here = ricci::sum(x * x + 1.0);
    const double there = sum_in_second(x);
    std::printf("%g %g\n", here, there);
    return here == 17.0 && there == 17.0 ? 0 : 1;
}
