// expect only: ricci: products, sums and solvers take sparse matrices in compressed rows
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> v{1, 2};
    const ricci::tensor<std::int64_t, 1> k{0, 1};
    const ricci::coo_matrix<double> a{k, k, v, {2, 2}};
#ifdef RICCI_FIXED
    const auto y = (a.to_csr() + a.to_csr()).values;
#else
    const auto y = a + a;
#endif
    return static_cast<int>(v.size() + a.nnz() + y.size());
}
