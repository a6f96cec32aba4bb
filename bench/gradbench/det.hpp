// GradBench's det: a determinant by expansion in minors (cmpad's det_by_minor).
#pragma once
#include <vector>

#include "inputs.hpp"

namespace gradbench {

/// The determinants of a batch of matrices (batch, l, l), expanded along the first row. The minors of all l columns are
/// one batch, so that l!/k! minors of size k are computed, each for itself, as the suite wants it.
template <class M>
auto determinants(const M& matrices) -> std::remove_cvref_t<decltype(rc::evaluate(matrices(rc::all, 0, 0)))> {
    using rc::all, rc::none, rc::slice;
    const index_t batch = matrices.shape(0), l = matrices.shape(1);
    if (l == 1) return matrices(all, 0, 0);
    const auto below = matrices(all, slice(1, none));
    std::vector<M> minors;
    for (index_t j = 0; j < l; ++j)
        minors.push_back(rc::concat({below(all, all, slice(j)), below(all, all, slice(j + 1, none))}, 2));
    auto signs = rc::ones<double>({l, 1});
    signs(slice(1, none, 2)) = -1.0;
    const auto minor_of = rc::reshape(determinants(M(rc::concat(minors))), {l, batch});
    const auto row = rc::matrix_transpose(matrices(all, 0));
    return rc::evaluate(sum(signs * row * minor_of, 0));
}
/// The determinant of a matrix (l, l).
template <class M>
auto determinant(const M& matrix) {
    return determinants(rc::evaluate(matrix(rc::newaxis)))(0);
}

inline rc::tensor<double, 2> make_det(index_t l) { return uniform(rc::shape<2>{l, l}, 1); }

}  // namespace gradbench
