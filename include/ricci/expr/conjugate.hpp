// Complex gradients: where the engine's adjoints become PyTorch's gradients, and back.
//
// Inside, an adjoint a and a tangent t are paired by Re(a t), so that the rule of a holomorphic op is calculus as one
// knows it, with no conjugates, the same for pullback and pushforward. What users see is the conjugate: the gradient of
// a real loss L with respect to z is dL/d(Re z) + i dL/d(Im z), the direction of steepest ascent (torch.autograd).
#pragma once
#include "assign.hpp"

namespace ricci::detail {

/// The conjugate of a complex array; a real one itself.
template <class A>
RICCI_INLINE decltype(auto) conjugated(A&& a) {
    if constexpr (is_complex_v<typename std::remove_cvref_t<A>::value_type>) return evaluate(conj(a));
    else return std::forward<A>(a);
}

}  // namespace ricci::detail
