// expect only: ricci: the rows, columns and offsets of a sparse matrix are arrays of integers of rank 1
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> v{1, 2};
    const ricci::tensor<std::int64_t, 1> k{0, 1};
#ifdef RICCI_FIXED
    const ricci::coo_matrix a{k, k, v, {2, 2}};
#else
    const ricci::coo_matrix a{v, k, v, {2, 2}};
#endif
    return static_cast<int>(a.nnz());
}
