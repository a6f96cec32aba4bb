// The exponential of matrices: matrix_exp.
#pragma once
#include "matrix_op.hpp"

namespace ricci {
namespace detail {

struct matrix_exp_op : matrix_function_op<matrix_exp_op> {
    static constexpr const char* name = "matrix_exp";

    template <class A>
    auto value(const A& a) const {
        want_linalg<typename A::device_type>();
        const auto y = a.clone();
        linalg_backend<typename A::device_type>::exponential(y);
        return make_pack(y);
    }
};

}  // namespace detail

namespace linalg {

/// The matrix exponential of the square matrices in the last two axes, by Pade approximants with scaling and
/// squaring; NaN of a matrix with elements that are not finite. (scipy.linalg.expm, torch.linalg.matrix_exp.)
template <expression A>
auto matrix_exp(const A& a) {
    return detail::call1(detail::matrix_exp_op{}, detail::square_argument(a, "matrix_exp"));
}

}  // namespace linalg
}  // namespace ricci
