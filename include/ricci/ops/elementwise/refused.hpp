// Operators between an expression and what is neither expression nor number: refused in one line, not by a list of all
// candidates.
#pragma once
#include "../declarations.hpp"

namespace ricci {

/// Exactly one of the two is an expression, and the other nothing that it combines with (text, a container).
template <class A, class B>
concept not_operands = (expression<A> && !operand<B>) || (expression<B> && !operand<A>);

namespace detail {
/// What compilers print that take no reason: g++, the result's type.
struct operators_take_arrays_and_numbers {};
}  // namespace detail

#if defined(__cpp_deleted_function)
#define RICCI_DELETE delete ("ricci: operators take arrays and numbers; of a vector, from_span(v) makes an array")
#else
#define RICCI_DELETE delete
#endif
#define RICCI_REFUSE_OPERATOR(sign) \
    template <class A, class B>     \
        requires not_operands<A, B> \
    detail::operators_take_arrays_and_numbers operator sign(const A&, const B&) = RICCI_DELETE;
#define RICCI_REFUSE_CHANGE(sign)    \
    template <expression A, class B> \
        requires(!operand<B>)        \
    detail::operators_take_arrays_and_numbers operator sign(A&&, const B&) = RICCI_DELETE;
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
#endif
RICCI_REFUSE_OPERATOR(+)
RICCI_REFUSE_OPERATOR(-)
RICCI_REFUSE_OPERATOR(*)
RICCI_REFUSE_OPERATOR(/)
RICCI_REFUSE_OPERATOR(%)
RICCI_REFUSE_CHANGE(+=)
RICCI_REFUSE_CHANGE(-=)
RICCI_REFUSE_CHANGE(*=)
RICCI_REFUSE_CHANGE(/=)
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#undef RICCI_REFUSE_OPERATOR
#undef RICCI_REFUSE_CHANGE
#undef RICCI_DELETE

}  // namespace ricci
