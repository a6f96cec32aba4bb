// Contractions: matmul.
#pragma once
#include "../expr/lift.hpp"
#include "reduce.hpp"

namespace ricci {
namespace detail {

template <class X>
auto swapped(const X& x) {
    return matrix_transpose(x);
}

template <int RA, int RB>
void check_batches(const shape<RA>& a, const shape<RB>& b) {
    for (int i = 3; i <= RA && i <= RB; ++i)
        if (a[RA - i] != b[RB - i] && a[RA - i] != 1 && b[RB - i] != 1)
            detail::raise<shape_error>({"[matmul] the leading dimensions of a ", a, " and b ", b,
                                        " must broadcast: ", a[RA - i], " != ", b[RB - i]});
}

/// The product of matrices in the last two axes, the leading axes broadcast. RA, RB >= 2.
template <int RA, int RB>
struct matmul_op : opaque_op {
    static constexpr const char* name = "matmul";
    static constexpr int rank = RA > RB ? RA : RB;

    template <class A, class B>
    static shape<rank> result_shape(const A& a, const B& b) {
        shape<rank> batch = pad_front<rank>(a.shape());
        shape<rank> other = pad_front<rank>(b.shape());
        for (int i = rank - 2; i < rank; ++i) batch[i] = other[i] = 1;
        broadcast_into(batch, other);
        batch[rank - 2] = a.shape()[RA - 2];
        batch[rank - 1] = b.shape()[RB - 1];
        return batch;
    }
    template <class A, class B>
    auto value(const A& a, const B& b) const {
        using D = typename A::device_type;
        auto c = tensor<typename A::value_type, rank, D>::uninitialized(result_shape(a, b));
        executor<D>::matmul(a, b, c);
        return make_pack(c);
    }
    template <class Active, bool, class A, class B, class C>
    auto pullback(const unsigned char*, const pack<const A*, const B*>& inputs, const pack<C>& bars) const {
        const auto& a = *get<0>(inputs);
        const auto& b = *get<1>(inputs);
        const auto& c_bar = get<0>(bars);
        auto a_bar = [&] { return sum_to(call1(matmul_op<C::rank, RB>{}, c_bar, swapped(b)), a.shape()); };
        auto b_bar = [&] { return sum_to(call1(matmul_op<RA, C::rank>{}, swapped(a), c_bar), b.shape()); };
        if constexpr (Active::at[0] && Active::at[1]) return make_pack(a_bar(), b_bar());
        else if constexpr (Active::at[0]) return make_pack(a_bar());
        else return make_pack(b_bar());
    }
    template <class Active, class A, class B, class... D>
    auto pushforward(const pack<const A*, const B*>& inputs, const pack<const D*...>& tangents) const {
        const auto& a = *get<0>(inputs);
        const auto& b = *get<1>(inputs);
        auto y = call1(*this, a, b);
        if constexpr (Active::at[0] && Active::at[1])
            return make_pack(y, evaluate(call1(*this, *get<0>(tangents), b) + call1(*this, a, *get<1>(tangents))));
        else if constexpr (Active::at[0]) return make_pack(y, call1(*this, *get<0>(tangents), b));
        else return make_pack(y, call1(*this, a, *get<0>(tangents)));
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
            if constexpr (!Active::at[0]) return call1(*this, get<0>(a), get<k()>(b));
            else if constexpr (!Active::at[1]) return call1(*this, get<k()>(a), get<0>(b));
            else
                return transform_indices<k() + 1>([&](auto j) { return call1(*this, get<j()>(a), get<k() - j()>(b)); },
                                                  [](const auto&... product) { return evaluate((product + ...)); });
        });
    }
    template <class Mapped, class A, class B>
    auto call_batched(const A& a, const B& b) const {
        constexpr int a_rank = Mapped::at[0] ? rank + 1 : RA, b_rank = Mapped::at[1] ? rank + 1 : RB;
        if constexpr (Mapped::at[0] && Mapped::at[1])
            return call(matmul_op<a_rank, b_rank>{}, pad_after_first<a_rank>(a), pad_after_first<b_rank>(b));
        else if constexpr (Mapped::at[0]) return call(matmul_op<a_rank, b_rank>{}, pad_after_first<a_rank>(a), b);
        else return call(matmul_op<a_rank, b_rank>{}, a, pad_after_first<b_rank>(b));
    }

   private:
    /// The value of an argument, with its series if it has one, which begins at First.
    template <int Degree, bool Varies, int First, class X, class Series>
    static auto coefficients(const X& x, const Series& series) {
        if constexpr (!Varies) return make_pack(x);
        else return concat(make_pack(x), generate<Degree>([&](auto k) { return *get<First + k()>(series); }));
    }
};

}  // namespace detail

/// Matrix product by NumPy's rules: the last axis of `a` against the second to last of `b` (the only one of a vector), the
/// leading axes broadcast; a vector's missing axis does not appear in the result. Elements in their common type; those of 16
/// bits are multiplied and added as float and rounded once. Throws shape_error when the contracted extents differ.
template <expression A, expression B>
auto matmul(const A& a, const B& b) {
    static_assert(A::rank >= 1 && B::rank >= 1, "ricci: matmul needs arrays of rank 1 or more; use * with scalars");
    using T = promote_t<typename A::value_type, typename B::value_type>;
    const auto x = detail::evaluate_as<compute_t<T>>(a);
    const auto y = detail::evaluate_as<compute_t<T>>(b);
    constexpr int inner = B::rank == 1 ? 0 : B::rank - 2;
    if (x.shape()[A::rank - 1] != y.shape()[inner])
        detail::raise<shape_error>({"[matmul] the last dimension of a ", x.shape(), " must match the ",
                                    B::rank == 1 ? "only" : "second to last", " of b ", y.shape(), ": ",
                                    x.shape()[A::rank - 1], " != ", y.shape()[inner]});
    if constexpr (A::rank > 2 && B::rank > 2) detail::check_batches(x.shape(), y.shape());
    if constexpr (is_half_v<T>) return detail::evaluate_as<T>(matmul(x, y));
    else if constexpr (A::rank == 1 && B::rank == 1) return sum(x * y);
    else if constexpr (A::rank == 1) return index(matmul(index(x, newaxis, all), y), ellipsis, 0, all);
    else if constexpr (B::rank == 1) return index(matmul(x, index(y, all, newaxis)), ellipsis, 0);
    else return detail::call1(detail::matmul_op<A::rank, B::rank>{}, x, y);
}

}  // namespace ricci
