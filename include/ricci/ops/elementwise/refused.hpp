// Operators between an expression and what is neither expression nor number: refused in one line, not by a list of all
// candidates.
#pragma once
#include "../declarations.hpp"

namespace ricci {

/// Exactly one of the two is an expression, and the other nothing that it combines with (text, a container).
template <class A, class B>
concept not_operands = (expression<A> && !operand<B>) || (expression<B> && !operand<A>);

template <class A, class B>
    requires not_operands<A, B>
void operator+(const A&, const B&) = delete;
template <class A, class B>
    requires not_operands<A, B>
void operator-(const A&, const B&) = delete;
template <class A, class B>
    requires not_operands<A, B>
void operator*(const A&, const B&) = delete;
template <class A, class B>
    requires not_operands<A, B>
void operator/(const A&, const B&) = delete;
template <class A, class B>
    requires not_operands<A, B>
void operator%(const A&, const B&) = delete;
template <expression A, class B>
    requires(!operand<B>)
void operator+=(A&&, const B&) = delete;
template <expression A, class B>
    requires(!operand<B>)
void operator-=(A&&, const B&) = delete;
template <expression A, class B>
    requires(!operand<B>)
void operator*=(A&&, const B&) = delete;
template <expression A, class B>
    requires(!operand<B>)
void operator/=(A&&, const B&) = delete;

}  // namespace ricci
