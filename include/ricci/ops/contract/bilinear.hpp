// The rules that every bilinear op shares: products of two arrays that are linear in each.
#pragma once
#include "../../expr/lift.hpp"
#include "members.hpp"

namespace ricci::detail {

/// The rules of an op y = a * b that is linear in a and in b. Op gives the adjoints of its arguments,
/// `left_adjoint(a, b, y_bar)` and `right_adjoint(a, b, y_bar)`, of which each is again a product, and `batched()`.
template <class Op>
struct bilinear_op : opaque_op {
    template <class Active, bool, class A, class B, class C>
    auto pullback(const unsigned char*, const pack<const A*, const B*>& inputs, const pack<C>& bars) const {
        return two_adjoints<Active>(
            [&] { return self().left_adjoint(*get<0>(inputs), *get<1>(inputs), get<0>(bars)); },
            [&] { return self().right_adjoint(*get<0>(inputs), *get<1>(inputs), get<0>(bars)); });
    }
    template <class Active, class A, class B, class... D>
    auto pushforward(const pack<const A*, const B*>& inputs, const pack<const D*...>& tangents) const {
        const auto& a = *get<0>(inputs);
        const auto& b = *get<1>(inputs);
        auto y = call1(self(), a, b);
        if constexpr (Active::at[0] && Active::at[1])
            return make_pack(y, evaluate(call1(self(), *get<0>(tangents), b) + call1(self(), a, *get<1>(tangents))));
        else if constexpr (Active::at[0]) return make_pack(y, call1(self(), *get<0>(tangents), b));
        else return make_pack(y, call1(self(), a, *get<0>(tangents)));
    }
    template <class Mapped, class A, class B>
    auto call_batched(const A& a, const B& b) const {
        return call_with_batch<Mapped>(self().batched(), a, b);
    }
    /// As if no factor were zero.
    template <class Active, class A, class B, class... D>
    auto dependence(const pack<const A*, const B*>& inputs, const pack<const D*...>& marks) const {
        const A a = constant_array<A>(get<0>(inputs)->shape(), 1);
        const B b = constant_array<B>(get<1>(inputs)->shape(), 1);
        return make_pack(get<1>(pushforward<Active>(pack<const A*, const B*>{{{&a}, {&b}}}, marks)));
    }
    /// The product of two series (Cauchy's): coefficient k is the sum of a_j b_(k-j).
    template <int Degree, class Active, class A, class B, class... D>
    auto expansion(const pack<const A*, const B*>& inputs, const pack<const D*...>& series) const {
        const auto a = coefficients<Degree, Active::at[0], 0>(*get<0>(inputs), series);
        const auto b = coefficients<Degree, Active::at[1], Active::at[0] ? Degree : 0>(*get<1>(inputs), series);
        return generate<Degree + 1>([&](auto k) {
            if constexpr (!Active::at[0]) return call1(self(), get<0>(a), get<k()>(b));
            else if constexpr (!Active::at[1]) return call1(self(), get<k()>(a), get<0>(b));
            else
                return transform_indices<k() + 1>([&](auto j) { return call1(self(), get<j()>(a), get<k() - j()>(b)); },
                                                  [](const auto&... product) { return evaluate((product + ...)); });
        });
    }

   private:
    const Op& self() const { return static_cast<const Op&>(*this); }
    /// The value of an argument, with its series if it has one, which begins at First.
    template <int Degree, bool Varies, int First, class X, class Series>
    static auto coefficients(const X& x, const Series& series) {
        if constexpr (!Varies) return make_pack(x);
        else return concat(make_pack(x), generate<Degree>([&](auto k) { return *get<First + k()>(series); }));
    }
};

}  // namespace ricci::detail
