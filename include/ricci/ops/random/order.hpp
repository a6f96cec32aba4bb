// Random order and selection: permutation, shuffle, choice. What they share stands in continuous.hpp.
#pragma once
#include "../operand_mistakes.hpp"
#include "discrete.hpp"

namespace ricci {
namespace detail {

/// The first elements of 0 ... n - 1 in the order that exchanges make, along the last axis.
struct shuffle_op : opaque_op {
    static constexpr const char* name = "permutation";
    index_t n;

    explicit shuffle_op(index_t of) : n(of) {}
    template <int R, class D>
    auto value(const tensor<std::int64_t, R, D>& swaps) const {
        const auto y = tensor<std::int64_t, R, D>::uninitialized(swaps.shape());
        executor<D>::shuffle(swaps, y, n);
        return make_pack(y);
    }
    template <class Mapped, class A>
    auto call_batched(const A& swaps) const {
        return call(*this, swaps);
    }
};
/// k different numbers of 0 ... n - 1, in random order, in the batches of an array.
template <class D, class... A>
auto distinct_indices(index_t n, index_t k, generator& g, const char* who, const A&... a) {
    const auto bits = draw<random_source::bits, std::uint64_t, D>(shape<1>{k}, g, who, a...);
    const auto first = arange<std::int64_t>(k).to(D{});
    const auto swaps =
        evaluate(make_map(ops::integer_variate<std::int64_t>{{g.seed()}}, bits, first, static_cast<std::int64_t>(n)));
    return call1(shuffle_op(n), swaps);
}
/// What lies along an axis, whole slices, in random order.
template <class E>
auto in_random_order(const E& x, int axis, generator& g, const char* who) {
    static_assert(E::rank >= 1, "ricci: permutation needs an array of rank 1 or more");
    const auto a = evaluate(x);
    const int d = normalize_axis(axis, E::rank, who);
    const index_t n = a.shape()[d];
    return take(a, distinct_indices<device_t<E>>(n, n, g, who, stop_gradient(a)), d);
}
/// Indices of 0 ... n - 1 in any shape, in the batches of an array.
template <class D, int R, class... A>
auto chosen_indices(index_t n, const shape<R>& size, bool replacement, generator& g, const A&... a) {
    check_extents(size, 1, "choice");
    const index_t k = size.count();
    if (n < 0) raise<value_error>({"[choice] the number of elements must not be negative: ", n});
    if (k > (replacement && n > 0 ? std::numeric_limits<index_t>::max() : n))
        raise<value_error>({"[choice] ", k, replacement ? " elements of " : " different elements of ", n, ": too few"});
    const auto indices = [&] {
        if (!replacement || n == 0) return distinct_indices<D>(n, k, g, "choice", a...);
        const auto bits = draw<random_source::bits, std::uint64_t, D>(shape<1>{k}, g, "choice", a...);
        return evaluate(make_map(ops::integer_variate<std::int64_t>{{g.seed()}}, bits, std::int64_t(0),
                                 static_cast<std::int64_t>(n)));
    }();
    return reshaped(indices, size);
}

}  // namespace detail

namespace random {

/// The numbers 0 ... n - 1 in random order, each order as likely. Throws value_error for a negative n.
/// (torch.randperm.)
template <class D = cpu_device>
tensor<std::int64_t, 1, D> permutation(index_t n, generator_ref g = {}, D = {}) {
    if (n < 0) detail::raise<value_error>({"[permutation] the number of elements must not be negative: ", n});
    return detail::distinct_indices<D>(n, n, g, "permutation");
}
/// What lies along an axis of `x` in random order: whole slices change places. (numpy.random.Generator.permutation.)
template <expression E>
[[nodiscard]] auto permutation(const E& x, int axis = 0, generator_ref g = {}) {
    return detail::in_random_order(x, axis, g, "permutation");
}
template <expression E>
[[nodiscard]] auto permutation(const E& x, generator_ref g) {
    return permutation(x, 0, g);
}
/// The same in place. (numpy.random.Generator.shuffle.)
template <class T, int R, class D>
void shuffle(const tensor<T, R, D>& x, int axis = 0, generator_ref g = {}) {
    write(x, detail::in_random_order(x, axis, g, "shuffle"));
}
template <class T, int R, class D>
void shuffle(const tensor<T, R, D>& x, generator_ref g) {
    shuffle(x, 0, g);
}

/// Elements of `x` along axis 0, as many as `size` says, each as likely: that axis becomes those of `size`. Without
/// replacement no place is chosen twice. Differentiable in x. Throws value_error when there are not enough. The
/// number n instead of x stands for 0 ... n - 1. (numpy.random.Generator.choice.)
template <expression E, int R>
auto choice(const E& x, const shape<R>& size, detail::yes_or_no replacement = true, generator_ref g = {}) {
    static_assert(E::rank >= 1, "ricci: choice needs an array of rank 1 or more");
    const auto a = evaluate(x);
    const auto constant = stop_gradient(a);
    return take(a, detail::chosen_indices<device_t<E>>(a.shape()[0], size, replacement, g, constant), 0);
}
template <expression E, int R>
auto choice(const E& x, const extent (&size)[R], detail::yes_or_no replacement = true, generator_ref g = {}) {
    return choice(x, detail::to_shape(size), replacement, g);
}
template <int R>
tensor<std::int64_t, R> choice(index_t n, const shape<R>& size, detail::yes_or_no replacement = true,
                               generator_ref g = {}) {
    return detail::chosen_indices<cpu_device>(n, size, replacement, g);
}
template <int R>
tensor<std::int64_t, R> choice(index_t n, const extent (&size)[R], detail::yes_or_no replacement = true,
                               generator_ref g = {}) {
    return choice(n, detail::to_shape(size), replacement, g);
}
template <class X, int R, detail::bare_seed Seed>
auto choice(const X&, const extent (&)[R], Seed) {
    return detail::refused_seed<Seed>();
}
/// With replacement, by a generator.
template <class X, int R>
    requires(!detail::list_of_elements<X>)
auto choice(const X& x, const extent (&size)[R], generator_ref g) {
    return choice(x, detail::to_shape(size), true, g);
}
/// Of the values in braces: choice({-1, 1}, {3, 4}).
template <element T, int N, int R, class... Options>
auto choice(const T (&values)[N], const extent (&size)[R], Options&&... options) {
    return choice(from_span(std::span(values)), size, std::forward<Options>(options)...);
}
/// Of a std::vector or span, copied.
template <detail::list_of_elements X, class Size, class... Options>
auto choice(const X& values, const Size& size, Options&&... options) {
    return choice(from_span(std::span(values)), size, std::forward<Options>(options)...);
}
template <detail::list_of_elements X, int R, class... Options>
auto choice(const X& values, const extent (&size)[R], Options&&... options) {
    return choice(from_span(std::span(values)), size, std::forward<Options>(options)...);
}
template <class X>
auto choice(const X&) {
    static_assert(always_false<X>, "ricci: choice is told how many: random::choice(x, {3})");
}
template <class X, std::integral N, class... Options>
auto choice(const X&, N, const Options&...) {
    static_assert(always_false<X>, "ricci: choice is told how many in braces: random::choice(x, {3})");
}
/// With probabilities in proportion to `weights`, one for each place of axis 0. Throws also as multinomial does.
template <expression W, int R>
auto choice(index_t n, const shape<R>& size, const W& weights, detail::yes_or_no replacement = true,
            generator_ref g = {}) {
    static_assert(W::rank == 1, "ricci: choice takes weights of rank 1");
    if (weights.shape()[0] != n)
        detail::raise<shape_error>({"[choice] weights of shape ", weights.shape(), " for ", n, " numbers"});
    detail::check_extents(size, 1, "choice");
    return detail::reshaped(detail::weighted_indices(evaluate(weights), size.count(), replacement, g, "choice"), size);
}
template <expression W, int R>
auto choice(index_t n, const extent (&size)[R], const W& weights, detail::yes_or_no replacement = true,
            generator_ref g = {}) {
    return choice(n, detail::to_shape(size), weights, replacement, g);
}
template <expression W, int R>
auto choice(index_t n, const extent (&size)[R], const W& weights, generator_ref g) {
    return choice(n, detail::to_shape(size), weights, true, g);
}
template <expression E, expression W, int R>
auto choice(const E& x, const shape<R>& size, const W& weights, detail::yes_or_no replacement = true,
            generator_ref g = {}) {
    static_assert(E::rank >= 1 && W::rank == 1, "ricci: choice takes an array of rank 1 or more and weights of rank 1");
    const auto a = evaluate(x);
    if (weights.shape()[0] != a.shape()[0])
        detail::raise<shape_error>({"[choice] weights of shape ", weights.shape(), " for axis 0 of shape ", a.shape()});
    detail::check_extents(size, 1, "choice");
    const auto indices =
        detail::weighted_indices(evaluate(weights), size.count(), replacement, g, "choice", stop_gradient(a));
    return take(a, detail::reshaped(indices, size), 0);
}
template <expression E, expression W, int R>
auto choice(const E& x, const extent (&size)[R], const W& weights, detail::yes_or_no replacement = true,
            generator_ref g = {}) {
    return choice(x, detail::to_shape(size), weights, replacement, g);
}
template <expression E, expression W, int R>
auto choice(const E& x, const extent (&size)[R], const W& weights, generator_ref g) {
    return choice(x, detail::to_shape(size), weights, true, g);
}

}  // namespace random
}  // namespace ricci
