// expect: ricci: sparse systems are solved by spsolve
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
    const ricci::tensor<double, 1> v{1, 2};
    const ricci::tensor<std::int64_t, 1> k{0, 1};
    const auto a = ricci::coo_matrix<double>{k, k, v, {2, 2}}.to_csr();
#ifdef RICCI_FIXED
    return static_cast<int>(x.size() + v.size() + ricci::linalg::solve(a.to_dense(), v).size());
#else
    return static_cast<int>(x.size() + v.size() + ricci::linalg::solve(a, v).size());
#endif
}
