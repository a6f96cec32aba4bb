// Reductions to positions: scatter_reduce, index_reduce, segment_reduce.
#pragma once
#include "../../cpu/combine.hpp"
#include "../../expr/place_operators.hpp"
#include "../checked_values.hpp"
#include "../elementwise/comparison.hpp"
#include "../elementwise/logical.hpp"
#include "../elementwise/where.hpp"
#include "write.hpp"

namespace ricci {

namespace detail {

/// x with the elements of v joined to those that index arrays name; unless include_self, what is in x there counts for
/// nothing.
template <class Spec, class Combine>
struct combine_at_op : opaque_op {
    static constexpr const char* name = "index_reduce";
    Spec spec;
    bool include_self;

    combine_at_op(const Spec& s, bool include) : spec(s), include_self(include) {}
    template <class X, class V, class... I>
    auto value(const X& x, const V& v, const I&... index) const {
        using D = typename X::device_type;
        using T = typename X::value_type;
        using W = compute_t<T>;
        const auto y = tensor<W, Spec::from_rank, D>::uninitialized(spec.written(x.shape(), v.shape(), index...));
        executor<D>::copy(converted_result<W>(x), y);
        if (!include_self)
            executor<D>::put(spec, y, everywhere<D>(Combine::template identity<W>(), v.shape()), index...);
        executor<D>::template combine_at<Combine>(spec, y, converted_result<W>(v), index...);
        return make_pack(converted_result<T>(y));
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>& bars) const {
        const auto& y_bar = get<0>(bars);
        return with_shares(inputs, [&](const auto& of_x, const auto& of_v, const auto&... index) {
            return two_adjoints<Active>([&] { return summed_to(of_x(y_bar), get<0>(inputs)->shape()); },
                                        [&] {
                                            return summed_to(of_v(call1(gather_op<Spec>(spec), y_bar, index...)),
                                                             get<1>(inputs)->shape());
                                        });
        });
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        return with_shares(inputs, [&](const auto& of_x, const auto& of_v, const auto&... index) {
            const auto y = call1(*this, *get<0>(inputs), *get<1>(inputs), index...);
            const auto x_part = [&] { return of_x(*get<0>(tangents)); };
            const auto v_part = [&] {
                return call1(scatter_op<Spec>(spec, y.shape()), of_v(*get<Active::at[0]>(tangents)), index...);
            };
            if constexpr (!Active::at[0]) return make_pack(y, v_part());
            else if constexpr (!Active::at[1]) return make_pack(y, x_part());
            else return make_pack(y, evaluate(x_part() + v_part()));
        });
    }
    /// Every value may be the one that stays.
    template <class Active, class... A, class... D>
    auto dependence(const pack<const A*...>& inputs, const pack<const D*...>& marks) const {
        return with_rest<2>(inputs, [&](const auto&... index) {
            const auto to = spec.written(get<0>(inputs)->shape(), get<1>(inputs)->shape(), index...);
            const auto x_part = [&] { return *get<0>(marks); };
            const auto v_part = [&] { return call1(scatter_op<Spec>(spec, to), *get<Active::at[0]>(marks), index...); };
            if constexpr (!Active::at[0]) return make_pack(v_part());
            else if constexpr (!Active::at[1]) return make_pack(x_part());
            else return make_pack(evaluate(x_part() + v_part()));
        });
    }
    template <class Mapped, class... A>
    auto call_batched(const A&... a) const {
        return call_in_batch<Mapped>(combine_at_op<typename Spec::batched, Combine>(spec.in_batch(), include_self),
                                     a...);
    }

   private:
    template <class D, class T, int R>
    static auto everywhere(T number, const shape<R>& extents) {
        return expanded(tensor<T, 0, D>(number), extents);
    }
    template <class H, class C>
    static auto chosen(const H& hit, const C& c) {
        return evaluate(where(hit, c, typename C::value_type(0)));
    }
    template <class A, class H>
    static auto ones_at(const H& hit) {
        using T = typename A::value_type;
        return evaluate(where(hit, T(1), T(0)));
    }
    /// Calls f with the functions by which what comes from x and from v counts, and with the index arrays. Of those
    /// that are an extremum each gets the same part (NaN where that is NaN, and equals nothing); a factor gets the
    /// others' product.
    template <class X, class V, class... I, class F>
    auto with_shares(const pack<const X*, const V*, const I*...>& inputs, const F& f) const {
        const auto& x = *get<0>(inputs);
        const auto& v = *get<1>(inputs);
        const auto no = everywhere<device_t<X>>(false, x.shape());
        const auto yes = everywhere<device_t<X>>(true, v.shape());
        return with_rest<2>(inputs, [&](const auto&... index) {
            const auto counts = evaluate(!call1(put_op<Spec, true>(spec), no, yes, index...) || include_self);
            if constexpr (std::is_same_v<Combine, combine_plus>) {
                return f([&](const auto& c) { return chosen(counts, c); }, [](const auto& c) { return c; }, index...);
            } else {
                const gather_op<Spec> gather(spec);
                const auto y = call1(*this, x, v, index...);
                const auto y_at = call1(gather, y, index...);
                if constexpr (std::is_same_v<Combine, combine_multiply>) {
                    return f([&](const auto& c) { return chosen(counts, c * (y / x)); },
                             [&](const auto& c) { return evaluate(c * (y_at / v)); }, index...);
                } else {
                    const auto x_hit = evaluate(counts && x == y);
                    const auto v_hit = evaluate(v == y_at);
                    const auto hits = call1(scatter_op<Spec>(spec, y.shape()), ones_at<V>(v_hit), index...);
                    const auto each = evaluate(1 / (hits + ones_at<X>(x_hit)));
                    const auto each_at = call1(gather, each, index...);
                    return f([&](const auto& c) { return evaluate(chosen(x_hit, c) * each); },
                             [&](const auto& c) { return evaluate(chosen(v_hit, c) * each_at); }, index...);
                }
            }
        });
    }
};

template <reduction How>
using combine_for =
    std::conditional_t<How == reduction::prod, combine_multiply,
                       std::conditional_t<How == reduction::amax, combine_maximum,
                                          std::conditional_t<How == reduction::amin, combine_minimum, combine_plus>>>;

/// The product of x and the values v that go to its elements, of which the op divides by each: zeros are apart, and are
/// multiplied by symmetric functions, so that first and second derivatives are exact there too.
template <class Spec, class X, class V, class... I>
auto product_at(const X& x, const Spec& spec, const V& v, bool include_self, const I&... index) {
    using T = typename X::value_type;
    const auto sum_of = [&](const auto& a, const auto& b) {
        return call1(combine_at_op<Spec, combine_plus>(spec, include_self), a, b, index...);
    };
    const auto x_zero = evaluate(x == T(0));  // one by one: only one of both may be under a transform
    const auto v_zero = evaluate(v == T(0));
    const auto product = call1(combine_at_op<Spec, combine_multiply>(spec, include_self),
                               evaluate(where(x_zero, T(1), x)), evaluate(where(v_zero, T(1), v)), index...);
    const auto x_tiny = evaluate(where(x_zero, x, T(0)));
    const auto v_tiny = evaluate(where(v_zero, v, T(0)));
    const auto zeros = sum_of(evaluate(where(x_zero, T(1), T(0))), evaluate(where(v_zero, T(1), T(0))));
    const auto one = sum_of(x_tiny, v_tiny);
    const auto two = evaluate((one * one - sum_of(evaluate(x_tiny * x_tiny), evaluate(v_tiny * v_tiny))) / T(2));
    return evaluate(product * where(zeros == T(0), T(1), where(zeros == T(1), one, where(zeros == T(2), two, T(0)))));
}
/// x with the values v, one for each of the indices, joined to what these name.
template <reduction How, class Spec, class X, class V, class... I>
auto reduced_at(const X& x, const Spec& spec, const V& v, bool include_self, const I&... index) {
    using T = typename X::value_type;
    static_assert(How != reduction::none,
                  "ricci: values that go to one place are joined: reduction::sum, prod, mean ...");
    static_assert(!is_complex_v<T> || (How != reduction::amax && How != reduction::amin),
                  "ricci: complex numbers have no order");
    static_assert(How != reduction::mean || is_inexact_v<T>,
                  "ricci: the mean of integers is none: convert them, astype<double>(x)");
    const combine_at_op<Spec, combine_for<How>> op(spec, include_self);
    if constexpr (How == reduction::mean) {
        using D = typename X::device_type;
        using W = compute_t<T>;
        const auto ones = [](const auto& extents) { return expanded(tensor<W, 0, D>(W(1)), extents); };
        const auto sums = call1(op, evaluate_as<W>(x), evaluate_as<W>(v), index...);
        const auto counts = call1(op, ones(x.shape()), ones(v.shape()), index...);
        return evaluate(as_type<T>(evaluate(sums / counts)));
    } else if constexpr (How == reduction::prod && is_inexact_v<T> && !(is_plain<X> && is_plain<V>)) {
        return product_at(x, spec, v, include_self, index...);
    } else {
        return call1(op, x, v, index...);
    }
}
/// The same along an axis, for index arrays of any rank.
template <reduction How, class X, class I, class V>
auto reduced_along(const X& x, int axis, const I& index, const V& v, bool include_self, const char* who) {
    const index_spec<X::rank, 1, I::rank, 0> spec{axis, {axis}};
    const auto values =
        values_for<typename X::value_type, typename X::device_type>(v, spec.selected(x.shape(), index), who);
    return reduced_at<How>(x, spec, values, include_self, index);
}

}  // namespace detail

/// `x` with what `v` has for its elements joined to them, at the positions that gather reads; `v` broadcasts to the
/// indices: scatter_reduce<reduction::amax>(x, 0, indices, v). Without include_self the elements of `x` that are named
/// count for nothing. The mean counts an element of `x` as one value. NaN wins. Adjoints of an extremum are shared
/// evenly by all that are equal to it; of products first and second derivatives are exact also where factors are zero.
/// Throws as scatter does. (torch.scatter_reduce.)
template <reduction How, expression E, expression I, class V>
[[nodiscard]] auto scatter_reduce(const E& x, int axis, const I& indices, const V& v,
                                  detail::yes_or_no include_self = true) {
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    return detail::changed_along(a, detail::check_along<E::rank>(a, axis, i, "scatter_reduce", true), i, v,
                                 "scatter_reduce",
                                 [&](const auto& part, const auto& spec, const auto& values, const auto& index) {
                                     return detail::reduced_at<How>(part, spec, values, include_self, index);
                                 });
}

/// The same for rows of `x` along `axis`, at the positions `indices` (rank 1). Throws as index_add does.
/// (torch.index_reduce.)
template <reduction How, expression E, expression I, class V>
[[nodiscard]] auto index_reduce(const E& x, int axis, const I& indices, const V& v,
                                detail::yes_or_no include_self = true) {
    static_assert(I::rank == 1, "ricci: index_reduce takes indices of rank 1");
    const int at = detail::normalize_axis(axis, E::rank, "index_reduce");
    return detail::reduced_along<How>(evaluate(x), at, detail::placed<device_t<E>>(indices), v, include_self,
                                      "index_reduce");
}
/// For the elements x(indices...), as index_put has them. (numpy.maximum.at and its like, which write in place; jax's
/// x.at[i, j].max(v).)
template <reduction How, expression E, class... I, class V>
[[nodiscard]] auto index_reduce(const E& x, const std::tuple<I...>& indices, const V& v,
                                detail::yes_or_no include_self = true) {
    const auto a = evaluate(x);
    return detail::reshaped(
        detail::reduced_along<How>(detail::reshaped(a, shape<1>{a.size()}), 0, detail::positions_in(a, indices), v,
                                   include_self, "index_reduce"),
        a.shape());
}

/// What becomes of the rows of `v` that have the same number: row k is the reduction of those whose number is k,
/// `segments` rows in all. Of none it is 0, the product 1, an extremum the lowest or highest number. Throws index_error
/// for a number out of range. (jax.ops.segment_max and its like.)
template <reduction How, expression V, expression I>
auto segment_reduce(const V& v, const I& numbers, index_t segments) {
    static_assert(V::rank >= 1 && I::rank == 1, "ricci: segment_reduce takes rows, and their numbers, of rank 1");
    using T = typename V::value_type;
    const auto at = evaluate(numbers);
    detail::require_between<index_error>(at, 0, segments - 1, "segment_reduce", "the number of a segment");
    auto extents = v.shape();
    extents[0] = segments;
    const T nothing = static_cast<T>(detail::combine_for<How>::template identity<compute_t<T>>());
    return detail::reduced_along<How>(full<T>(extents, nothing, device_t<V>{}), 0, detail::placed<device_t<V>>(at), v,
                                      How != reduction::mean, "segment_reduce");
}

}  // namespace ricci
