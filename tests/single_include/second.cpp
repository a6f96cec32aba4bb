#include <ricci/ricci.hpp>

double sum_in_second(const ricci::tensor<double, 1>& x) { return ricci::sum(x * x + 1.0); }
