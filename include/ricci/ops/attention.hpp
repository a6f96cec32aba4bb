// What queries take from values by how they resemble the values' keys: scaled_dot_product_attention.
#pragma once
#include <cmath>
#include <limits>

#include "../core/optional_value.hpp"
#include "checked_values.hpp"
#include "contract.hpp"
#include "create.hpp"
#include "diagonal.hpp"
#include "softmax.hpp"
#include "stop_gradient.hpp"

namespace ricci {

/// What scaled_dot_product_attention takes: whether a query sees only keys up to its own place, and what products are
/// multiplied by, 1 / sqrt(the last axis) where it is not given.
struct attention_options {
    bool is_causal = false;
    detail::optional_value<double> scale = {};
};
namespace detail {
/// An array, of integers as double.
template <class E>
auto inexact_value(const E& x) {
    return evaluate_as<inexact_t<typename E::value_type>>(x);
}
/// softmax along the last axis, of rows of -inf 0. Where no row is such, nothing is done but look.
template <class S>
auto softmax_of_seen(const S& scores) {
    using T = compute_t<typename S::value_type>;
    constexpr T never = -std::numeric_limits<T>::infinity();
    using Y = decltype(softmax(scores, -1));
    if (scores.size() == 0) return softmax(scores, -1);
    const auto blind = evaluate(max(stop_gradient(scores), -1, keepdims) == never);
    if (!any(plain_array(blind)).item()) return softmax(scores, -1);
    return Y(evaluate(where(blind, T(0), softmax(where(blind, T(0), scores), -1))));
}
template <class Q, class K, class V, class Weights>
auto attention(const Q& query, const K& key, const V& value, const attention_options& options,
               const Weights& weights_of) {
    static_assert(Q::rank >= 2 && K::rank >= 2 && V::rank >= 2, "ricci: attention takes matrices or stacks of them");
    using E = inexact_t<promote_t<typename Q::value_type, typename K::value_type>>;
    using T = compute_t<E>;
    const auto q = inexact_value(query);
    const double depth = static_cast<double>(q.shape()[Q::rank - 1]);
    const T scale = static_cast<T>(options.scale.value_or(1 / std::sqrt(depth)));
    const auto scores = matmul(q * scale, matrix_transpose(inexact_value(key)));
    using S = std::remove_const_t<decltype(scores)>;
    constexpr T never = -std::numeric_limits<T>::infinity();
    const auto seen = [&]() -> S {
        if (!options.is_causal) return scores;
        constexpr int R = S::rank;
        const auto mask = tril(ones<bool>(shape<2>{scores.shape()[R - 2], scores.shape()[R - 1]}, device_t<Q>{}));
        return S(evaluate(where(mask, scores, never)));
    }();
    return evaluate(matmul(weights_of(seen), value));
}
}  // namespace detail

/// softmax(query key^T scale) value: what each query takes from the values, by how it resembles their keys; query (...,
/// n, d), key (..., m, d), value (..., m, e), the axes in front broadcast. A mask that broadcasts to (..., n, m) is
/// true where a query sees a key, or of numbers, which are added. 0 for a query that sees none. (torch's
/// scaled_dot_product_attention.)
template <expression Q, expression K, expression V>
auto scaled_dot_product_attention(const Q& query, const K& key, const V& value, const attention_options& options = {}) {
    return detail::attention(query, key, value, options, [](const auto& scores) { return softmax(scores, -1); });
}
template <expression Q, expression K, expression V, expression M>
auto scaled_dot_product_attention(const Q& query, const K& key, const V& value, const M& mask,
                                  const attention_options& options = {}) {
    return detail::attention(query, key, value, options, [&](const auto& scores) {
        using T = typename std::remove_cvref_t<decltype(scores)>::value_type;
        constexpr bool truths = std::is_same_v<typename M::value_type, bool>;
        static_assert(
            truths || is_inexact_v<typename M::value_type>,
            "ricci: a mask of attention is of truth values, or of floating-point numbers that are added: mask != 0");
        if constexpr (truths)
            return detail::softmax_of_seen(
                evaluate(where(mask, scores, -std::numeric_limits<compute_t<T>>::infinity())));
        else return detail::softmax_of_seen(evaluate(scores + mask));
    });
}

}  // namespace ricci
