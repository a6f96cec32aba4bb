// expect: ricci: a number multiplies a sparse matrix as 2 \* a
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
    const ricci::tensor<std::int64_t, 1> k{0, 1};
    const auto a = ricci::coo_matrix<double>{k, k, v, {2, 2}}.to_csr();
#ifdef RICCI_FIXED
    return static_cast<int>(x.size() + v.size() + matmul(2 * a, v).size());
#else
    return static_cast<int>(x.size() + v.size() + matmul(a, 2.0).size());
#endif
}
