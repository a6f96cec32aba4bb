// expect only: ricci: a sparse matrix takes . and - with sparse ones and
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
    const ricci::tensor<std::int64_t, 1> k{0, 1};
    const auto a = ricci::coo_matrix<double>{k, k, v, {2, 2}}.to_csr();
#ifdef RICCI_FIXED
    return static_cast<int>(x.size() + v.size() + (a.to_dense() + x).size());
#else
    return static_cast<int>(x.size() + v.size() + (a + x).size());
#endif
}
