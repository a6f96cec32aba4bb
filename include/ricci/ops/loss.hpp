// Losses, means over all elements unless told otherwise: of regression, of classes and probabilities, of margins.
#pragma once
#include "../core/optional_value.hpp"
#include "checked_values.hpp"
#include "distance.hpp"
#include "elementwise/binary_entropy.hpp"
#include "elementwise/clip.hpp"
#include "index.hpp"
#include "rearrange.hpp"
#include "softmax.hpp"

namespace ricci {

/// What losses of classes take: a number that stands for no class, whose row does not count (torch's is -100), the
/// share of each row that is spread evenly over all classes, and the axis along which the scores of the classes lie
/// (torch's is 1).
struct class_options {
    detail::optional_value<std::int64_t> ignore_index = {};
    double label_smoothing = 0;
    int axis = -1;
};

namespace detail {

/// What a loss makes of what it is of each element, pair or row.
/// `each` gives that; its errors name `who`.
template <reduction How, class E>
auto loss_of(const char* who, const E& each) {
    static_assert(How == reduction::mean || How == reduction::sum || How == reduction::none,
                  "ricci: a loss is a mean, a sum, or none of them: mse_loss<reduction::sum>(x, y)");
    return as_called(who, [&] {
        if constexpr (How == reduction::none) return evaluate(each());
        else if constexpr (How == reduction::sum) return sum(each());
        else return mean(each());
    });
}
template <class X>
constexpr bool is_whole_operand() {
    if constexpr (expression<X>) return std::is_integral_v<std::remove_const_t<typename X::value_type>>;
    else return std::is_integral_v<X>;
}
/// An operand as a loss computes with it beside others: integers among integers as double, whose differences, products
/// and squares would wrap around.
template <class... Others, class X>
auto inexact_operand(const X& x) {
    if constexpr (!(is_whole_operand<X>() && ... && is_whole_operand<Others>())) return x;
    else if constexpr (expression<X>) return astype<double>(x);
    else return static_cast<double>(x);
}
/// Targets beside values of type T: integers and truths as floats, of which differences from 1 can be taken.
template <class T, class X>
auto beside_floats(const X& x) {
    if constexpr (!expression<X>) return static_cast<double>(x);
    else if constexpr (is_inexact_v<typename X::value_type>) return x;
    else return astype<inexact_t<T>>(x);
}
/// max(0, x), whose derivative at 0 is 1, as torch's losses with a margin have it.
template <class X>
auto excess(const X& x) {
    return clip(x, 0, none);
}
/// One operand less another, of integers in double, where it does not wrap around.
template <class X, class Y>
auto difference(const X& x, const Y& y) {
    return inexact_operand<Y>(x) - inexact_operand<X>(y);
}
/// Scores with those of the classes along the last axis.
template <class X>
auto classes_last(const X& x, int axis, const char* who) {
    const int from = normalize_axis(axis, X::rank, who);
    if (from == X::rank - 1) return evaluate(x);
    return evaluate(moveaxis(x, from, -1));
}
/// What an error about rows adds where there are axes to choose from.
template <class X>
constexpr const char* axis_of_classes() {
    return X::rank > 2
               ? ": the classes are along its last axis; {.axis = 1} says that they are along axis 1, as torch has them"
               : "";
}
/// Classes, one for each row of x, as an array beside its last axis.
template <class X, class C>
auto beside_last_axis(const X& x, const C& classes, const char* who) {
    static_assert(C::rank == X::rank - 1, "ricci: a loss of classes takes a class for each row, along the last axis");
    for (int d = 0; d < C::rank; ++d)
        if (classes.shape()[d] != x.shape()[d])
            raise<shape_error>({"[", who, "] classes of shape ", classes.shape(), " for the rows of shape ", x.shape(),
                                ": ", classes.shape()[d], " != ", x.shape()[d], axis_of_classes<X>()});
    return evaluate(expand_dims(astype<std::int64_t>(stop_gradient(classes)), -1));
}
/// Throws index_error for a class that there is not: as an index -1 would be the last one.
template <class C>
void require_classes(const C& classes, index_t n, const char* who) {
    require_between<index_error>(classes, 0, n - 1, who, "class");
}
/// Throws value_error for a variance below 0; NaN is let through.
template <class V>
void require_variance(const V& variance) {
    if constexpr (expression<V>)
        require_all(evaluate(!(stop_gradient(variance) < 0)), "gaussian_nll_loss", "a variance must not be negative");
    else require_all(!(variance < 0), "gaussian_nll_loss", "a variance must not be negative");
}
/// A variance for each row of values as one beside their last axis; others as they are.
template <int R, class V>
decltype(auto) variance_beside(const V& variance) {
    if constexpr (requires { requires V::rank + 1 == R; }) return evaluate(expand_dims(variance, -1));
    else return (variance);
}
/// A weight of 1 for each class.
template <class X>
auto ones_of_classes(const X& x, int axis, const char* who) {
    return ones<inexact_t<typename X::value_type>>(shape<1>{x.shape()[normalize_axis(axis, X::rank, who)]},
                                                   device_t<X>{});
}
/// Throws shape_error for another number of weights than of classes, along x's last axis.
template <class X, class W>
void require_class_weights(const X& x, const W& weights, const char* who) {
    static_assert(W::rank == 1, "ricci: the weights of classes are a vector, a number for each class");
    if (weights.shape()[0] != x.shape()[X::rank - 1])
        raise<shape_error>({"[", who, "] weights of shape ", weights.shape(), " for the classes of shape ", x.shape(),
                            axis_of_classes<X>()});
}
/// The mean of -log p[class] over the rows, or the sum of these, or each.
template <reduction How, class X, class C>
auto class_loss(const X& log_p, const C& classes, const char* who) {
    const auto at = beside_last_axis(log_p, classes, who);
    require_classes(at, log_p.shape()[X::rank - 1], who);
    const auto own = take_along_axis(evaluate(log_p), at, -1);
    return evaluate(-loss_of<How>(who, [&] { return squeeze(own, C::rank); }));
}
/// The mean over the rows that count, by the weights of their classes, of -log p[class], less label_smoothing of it,
/// and this share of the mean of all classes' -w log p; or the sum of these, or each.
template <reduction How, class X, class C, class W>
auto class_loss(const X& log_p, const C& classes, const W& weights, const class_options& options, const char* who) {
    require_class_weights(log_p, weights, who);
    const index_t n = log_p.shape()[X::rank - 1];
    using T = inexact_t<promote_t<typename X::value_type, typename W::value_type>>;
    using S = compute_t<T>;
    const auto given = beside_last_axis(log_p, classes, who);
    const auto counts = evaluate(!options.ignore_index || given != *options.ignore_index);
    const auto at = evaluate(where(counts, given, 0));
    require_classes(at, n, who);
    const auto all_weights = evaluate_as<S>(weights);
    const auto by = evaluate(where(counts, take(all_weights, at, 0), S(0)));
    const auto own = evaluate(by * where(counts, take_along_axis(log_p, at, -1), S(0)));
    const auto finish = [&](const auto& loss) {
        if constexpr (How == reduction::mean) return evaluate_as<T>(sum(loss) / sum(by));
        else return evaluate_as<T>(loss_of<How>(who, [&] { return squeeze(loss, C::rank); }));
    };
    if (options.label_smoothing == 0) return finish(evaluate(-own));
    require(options.label_smoothing, condition::probability, who, "label_smoothing");
    const S share = static_cast<S>(options.label_smoothing);
    const auto every = where(counts, mean(all_weights * log_p, -1, keepdims), S(0));
    return finish(evaluate(-((1 - share) * own + share * every)));
}

}  // namespace detail

/// The mean of (x - y)^2, broadcast. This name and those below are torch.nn.functional's, and all of them take a
/// reduction: mse_loss<reduction::sum>(x, y) is the sum, mse_loss<reduction::none>(x, y) has each element's. Integers
/// count as double.
template <reduction How = reduction::mean, operand X, operand Y>
    requires(operands<X, Y>)
auto mse_loss(const X& x, const Y& y) {
    return detail::loss_of<How>("mse_loss", [&] { return square(detail::difference(x, y)); });
}
/// The mean of |x - y|.
template <reduction How = reduction::mean, operand X, operand Y>
    requires(operands<X, Y>)
auto l1_loss(const X& x, const Y& y) {
    return detail::loss_of<How>("l1_loss", [&] { return abs(detail::difference(x, y)); });
}
/// The mean of d^2 / 2 where d = |x - y| is at most delta, and of delta (d - delta / 2) where it is more. Throws
/// value_error unless delta > 0.
template <reduction How = reduction::mean, operand X, operand Y>
    requires(operands<X, Y>)
auto huber_loss(const X& x, const Y& y, detail::plain_number delta = 1) {
    const double limit = delta;
    detail::require(limit, detail::condition::positive, "huber_loss", "delta");
    return detail::loss_of<How>("huber_loss", [&] {
        const auto d = detail::difference(x, y);
        const auto inside = clip(d, -limit, limit);  // not by |d|, whose derivatives at 0 are those of a kink
        return inside * (d - 0.5 * inside);
    });
}
/// huber_loss(x, y, beta) / beta; l1_loss where beta is 0. Throws value_error where it is less.
template <reduction How = reduction::mean, operand X, operand Y>
    requires(operands<X, Y>)
auto smooth_l1_loss(const X& x, const Y& y, detail::plain_number beta = 1) {
    const double limit = beta;
    using L = decltype(evaluate(huber_loss<How>(x, y, limit) / limit));
    detail::require(limit, detail::condition::not_negative, "smooth_l1_loss", "beta");
    return detail::as_called("smooth_l1_loss", [&] {
        if (limit == 0) return L(evaluate(l1_loss<How>(x, y)));
        return L(evaluate(huber_loss<How>(x, y, limit) / limit));
    });
}

/// The mean of -log p[class] for the logarithms of probabilities, as log_softmax gives them, along the last axis, of
/// integer classes, whose shape is that of log_p without its last axis. Throws index_error for a class that there is
/// not. (torch's nll_loss has classes in axis 1: nll_loss(log_p, classes, {.axis = 1}).)
template <reduction How = reduction::mean, expression X, expression C>
    requires(std::is_integral_v<typename C::value_type>)
auto nll_loss(const X& log_p, const C& classes) {
    return detail::class_loss<How>(log_p, classes, "nll_loss");
}
/// With a weight for each class, a vector: the mean with these weights, -sum(w[class] log p[class]) / sum(w[class]).
/// Throws shape_error for another number of weights than of classes.
template <reduction How = reduction::mean, expression X, expression C, expression W>
    requires(std::is_integral_v<typename C::value_type>)
auto nll_loss(const X& log_p, const C& classes, const W& weights, const class_options& options = {}) {
    return detail::class_loss<How>(detail::classes_last(log_p, options.axis, "nll_loss"), classes, weights, options,
                                   "nll_loss");
}
/// Rows without a class do not count: nll_loss(log_p, classes, {.ignore_index = -100}). NaN where no row does. The
/// classes of pictures, log_p of shape (n, classes, height, width), are along {.axis = 1}.
template <reduction How = reduction::mean, expression X, expression C>
    requires(std::is_integral_v<typename C::value_type>)
auto nll_loss(const X& log_p, const C& classes, const class_options& options) {
    return nll_loss<How>(log_p, classes, detail::ones_of_classes(log_p, options.axis, "nll_loss"), options);
}
/// nll_loss of log_softmax(logits, -1), with integer classes, one for each row: logits of shape (..., classes). Of
/// pictures, whose logits have shape (n, classes, height, width), it is cross_entropy(logits, classes, {.axis = 1}).
template <reduction How = reduction::mean, expression X, expression C>
    requires(std::is_integral_v<typename C::value_type>)
auto cross_entropy(const X& logits, const C& classes) {
    return detail::class_loss<How>(log_softmax(logits, -1), classes, "cross_entropy");
}
/// With a weight for each class, and with {.ignore_index = -100, .label_smoothing = 0.1, .axis = 1}.
template <reduction How = reduction::mean, expression X, expression C, expression W>
    requires(std::is_integral_v<typename C::value_type>)
auto cross_entropy(const X& logits, const C& classes, const W& weights, const class_options& options = {}) {
    return detail::class_loss<How>(log_softmax(detail::classes_last(logits, options.axis, "cross_entropy"), -1),
                                   classes, weights, options, "cross_entropy");
}
template <reduction How = reduction::mean, expression X, expression C>
    requires(std::is_integral_v<typename C::value_type>)
auto cross_entropy(const X& logits, const C& classes, const class_options& options) {
    return cross_entropy<How>(logits, classes, detail::ones_of_classes(logits, options.axis, "cross_entropy"), options);
}
/// Of probabilities of all classes, in the shape of logits, both along the last axis (along axis 1, torch's, with
/// {.axis = 1}).
template <reduction How = reduction::mean, expression X, expression P>
    requires(!std::is_integral_v<typename P::value_type>)
auto cross_entropy(const X& logits, const P& probabilities) {
    static_assert(P::rank == X::rank, "ricci: cross_entropy takes classes, or probabilities in the shape of logits");
    return detail::loss_of<How>("cross_entropy", [&] { return -sum(probabilities * log_softmax(logits, -1), -1); });
}
/// With a weight for each class, a vector, and {.label_smoothing = 0.1, .axis = 1}: the mean over all rows of -sum(w p
/// log softmax), where p is (1 - label_smoothing) of the given one and an equal share of the rest. Throws value_error
/// for an ignore_index: rows of probabilities name no class.
template <reduction How = reduction::mean, expression X, expression P, expression W>
    requires(!std::is_integral_v<typename P::value_type>)
auto cross_entropy(const X& logits, const P& probabilities, const W& weights, const class_options& options = {}) {
    static_assert(P::rank == X::rank, "ricci: cross_entropy takes classes, or probabilities in the shape of logits");
    if (options.ignore_index)
        detail::raise<value_error>({"[cross_entropy] ignore_index belongs to classes; these are probabilities"});
    detail::require(options.label_smoothing, detail::condition::probability, "cross_entropy", "label_smoothing");
    const auto scores = detail::classes_last(logits, options.axis, "cross_entropy");
    detail::require_class_weights(scores, weights, "cross_entropy");
    const double share = options.label_smoothing;
    const auto classes = static_cast<double>(scores.shape()[X::rank - 1]);
    const auto smooth =
        detail::classes_last(probabilities, options.axis, "cross_entropy") * (1 - share) + share / classes;
    return detail::loss_of<How>("cross_entropy", [&] { return -sum(weights * smooth * log_softmax(scores, -1), -1); });
}
template <reduction How = reduction::mean, expression X, expression P>
    requires(!std::is_integral_v<typename P::value_type>)
auto cross_entropy(const X& logits, const P& probabilities, const class_options& options) {
    return cross_entropy<How>(logits, probabilities, detail::ones_of_classes(logits, options.axis, "cross_entropy"),
                              options);
}
/// The mean of -t log p - (1 - t) log(1 - p) for p = sigmoid(logits), without overflow.
template <reduction How = reduction::mean, expression X, operand Y>
auto binary_cross_entropy_with_logits(const X& logits, const Y& targets) {
    return detail::loss_of<How>("binary_cross_entropy_with_logits",
                                [&] { return map<ops::binary_entropy_of_logit>(logits, targets); });
}
/// Each element times a weight, and the first term, that of positive targets, times another; both are broadcast, or
/// numbers: binary_cross_entropy_with_logits(x, t, 1, pos_weight).
template <reduction How = reduction::mean, expression X, operand Y, operand W, operand P = int>
auto binary_cross_entropy_with_logits(const X& logits, const Y& targets, const W& weight, const P& pos_weight = 1) {
    const auto t = detail::beside_floats<typename X::value_type>(targets);
    return detail::loss_of<How>("binary_cross_entropy_with_logits", [&] {
        return weight * (pos_weight * t * softplus(-logits) + (1 - t) * softplus(logits));
    });
}

/// The mean of -t log p - (1 - t) log(1 - p) of probabilities and targets from 0 to 1, broadcast; no logarithm counts
/// as less than -100. NaN for p outside of 0 ... 1. Derivatives (p - t) / max(p (1 - p), 1e-12) and log(1 - p) - log p.
/// Of logits it is binary_cross_entropy_with_logits, which is exact everywhere.
template <reduction How = reduction::mean, operand P, operand T>
    requires(operands<P, T>)
auto binary_cross_entropy(const P& p, const T& targets) {
    return detail::loss_of<How>("binary_cross_entropy", [&] { return map<ops::binary_entropy>(p, targets); });
}
/// Each element times a weight, which is broadcast.
template <reduction How = reduction::mean, operand P, operand T, operand W>
    requires(operands<P, T>)
auto binary_cross_entropy(const P& p, const T& targets, const W& weight) {
    return detail::loss_of<How>("binary_cross_entropy", [&] { return weight * map<ops::binary_entropy>(p, targets); });
}
/// The mean of t (log t - x) for the logarithm x of a probability and the probability t, 0 where t is 0, or NaN where
/// also x is -inf; with log_target t is given by its logarithm, too. The divergence of rows, torch's "batchmean", is a
/// row's length times that.
template <reduction How = reduction::mean, operand X, operand T>
    requires(operands<X, T>)
auto kl_div(const X& log_p, const T& target, detail::yes_or_no log_target = false) {
    if (log_target)
        return evaluate(
            detail::loss_of<How>("kl_div", [&] { return exp(target) * detail::difference(target, log_p); }));
    return evaluate(detail::loss_of<How>(
        "kl_div", [&] { return xlogy(target, target) - detail::inexact_operand<X>(target) * log_p; }));
}
/// The mean of exp(x) - t x for the logarithm x of a rate and the count t; unless log_input, of x - t log(x + epsilon)
/// for the rate itself.
template <reduction How = reduction::mean, operand X, operand T>
    requires(operands<X, T>)
auto poisson_nll_loss(const X& x, const T& target, detail::yes_or_no log_input = true,
                      detail::plain_number epsilon = 1e-8) {
    if (log_input)
        return evaluate(
            detail::loss_of<How>("poisson_nll_loss", [&] { return exp(x) - detail::inexact_operand<X>(target) * x; }));
    return evaluate(
        detail::loss_of<How>("poisson_nll_loss", [&] { return x - target * log(x + static_cast<double>(epsilon)); }));
}
/// The mean of (log v + (x - t)^2 / v) / 2 for means x and variances v, which count as `least` where they are below,
/// where the derivative by v is 0 (torch's is as if v were `least`). v may have an axis less, a variance for each row
/// of x. Throws value_error for a variance below 0.
template <reduction How = reduction::mean, operand X, operand T, operand V>
    requires(operands<X, T>)
auto gaussian_nll_loss(const X& x, const T& target, const V& variance, detail::plain_number least = 1e-6) {
    detail::require_variance(variance);
    return detail::loss_of<How>("gaussian_nll_loss", [&] {
        const auto off = detail::difference(x, target);
        const auto v = maximum(detail::variance_beside<decltype(off)::rank>(variance), static_cast<double>(least));
        return 0.5 * (log(v) + square(off) / v);
    });
}

/// The mean of log(1 + exp(-y x)) for signs y, 1 or -1.
template <reduction How = reduction::mean, operand X, operand Y>
    requires(operands<X, Y>)
auto soft_margin_loss(const X& x, const Y& y) {
    return detail::loss_of<How>("soft_margin_loss", [&] { return softplus(-(detail::inexact_operand<X>(y) * x)); });
}
/// The mean of x where y is 1, of max(0, margin - x) where it is -1.
template <reduction How = reduction::mean, operand X, operand Y>
    requires(operands<X, Y>)
auto hinge_embedding_loss(const X& x, const Y& y, double margin = 1) {
    return detail::loss_of<How>("hinge_embedding_loss", [&] { return where(y == 1, x, detail::excess(margin - x)); });
}
/// The mean over rows x of the sum over other classes j of max(0, margin - x[class] + x[j])^p, over the number of
/// classes; 0 is the derivative where that is 0. Throws index_error for a class that there is not. (torch's
/// multi_margin_loss, of which p is 1 or 2.)
template <reduction How = reduction::mean, expression X, expression C>
auto multi_margin_loss(const X& x, const C& classes, double p = 1, double margin = 1) {
    const auto a = evaluate(detail::as_type<inexact_t<typename X::value_type>>(x));
    const auto at = detail::beside_last_axis(a, classes, "multi_margin_loss");
    const index_t n = a.shape()[X::rank - 1];
    detail::require_classes(at, n, "multi_margin_loss");
    const auto gap = relu(margin - take_along_axis(a, at, -1) + a);
    const auto each = evaluate(p == 1 ? evaluate(gap) : evaluate(pow(gap, p)));
    const auto others = where(arange<std::int64_t>(n, device_t<X>{}) == at, 0, each);
    return detail::loss_of<How>("multi_margin_loss", [&] { return sum(others, -1) / static_cast<double>(n); });
}
/// The mean over rows x of max(0, 1 - x[k] + x[i]), summed over the row's classes k and all i that are none of them,
/// over the number of classes. `classes` has x's shape: in each row its classes, and -1 behind the last. Throws
/// index_error for a class that there is not. (torch's multilabel_margin_loss.)
template <reduction How = reduction::mean, expression X, expression C>
auto multilabel_margin_loss(const X& x, const C& classes) {
    static_assert(X::rank >= 1 && C::rank == X::rank, "ricci: multilabel_margin_loss takes rows of classes like x's");
    const auto a = evaluate(detail::as_type<inexact_t<typename X::value_type>>(x));
    const auto k = evaluate(astype<std::int64_t>(stop_gradient(classes)));
    if (!(a.shape() == k.shape()))
        detail::raise<shape_error>(
            {"[multilabel_margin_loss] classes of shape ", k.shape(), " for an array of shape ", a.shape()});
    const index_t n = a.shape()[X::rank - 1];
    const auto listed = evaluate(cumulative_prod(astype<std::int64_t>(k >= 0), -1) > 0);
    const auto at = evaluate(where(listed, k, 0));
    detail::require_classes(at, n, "multilabel_margin_loss");
    const auto every = arange<std::int64_t>(n, device_t<X>{});
    const auto chosen =
        evaluate(sum(expand_dims(listed, -1) && expand_dims(at, -1) == every, X::rank - 1) > 0);  // (..., i)
    const auto gap = detail::excess(1 - expand_dims(take_along_axis(a, at, -1), -1) + expand_dims(a, -2));
    return detail::loss_of<How>("multilabel_margin_loss", [&] {
        return sum(where(expand_dims(listed, -1) && !expand_dims(chosen, -2), gap, 0), {-2, -1}) /
               static_cast<double>(n);
    });
}
/// The mean over rows, and in them over all labels, of binary_cross_entropy_with_logits(x, y): y tells for each label
/// whether it holds. A weight for each label is broadcast. (torch's multilabel_soft_margin_loss.)
template <reduction How = reduction::mean, expression X, operand Y, operand W = int>
auto multilabel_soft_margin_loss(const X& x, const Y& y, const W& weight = 1) {
    return detail::loss_of<How>("multilabel_soft_margin_loss", [&] {
        return mean(binary_cross_entropy_with_logits<reduction::none>(x, y, weight), -1);
    });
}
/// The mean of max(0, margin - y (a - b)): where y is 1 a should be more than b by the margin, where it is -1 less.
template <reduction How = reduction::mean, operand A, operand B, operand Y>
    requires(operands<A, B>)
auto margin_ranking_loss(const A& a, const B& b, const Y& y, double margin = 0) {
    return detail::loss_of<How>("margin_ranking_loss",
                                [&] { return detail::excess(margin - y * detail::difference(a, b)); });
}
/// The mean of max(0, d(a, p) - d(a, n) + margin): an anchor should be nearer to the positive than to the negative one.
/// With swap d(a, n) is d(p, n) where that is less (Balntas et al. 2016). (torch's triplet_margin_with_distance_loss.)
template <reduction How = reduction::mean, expression A, expression P, expression N, class Distance>
auto triplet_margin_with_distance_loss(const A& anchor, const P& positive, const N& negative, const Distance& distance,
                                       double margin = 1, detail::yes_or_no swap = false) {
    const auto to_positive = evaluate(distance(anchor, positive));
    const auto to_negative = evaluate(distance(anchor, negative));
    const auto loss = [&](const auto& nearest) {
        return detail::loss_of<How>("triplet_margin_with_distance_loss",
                                    [&] { return detail::excess(to_positive - nearest + margin); });
    };
    if (swap) return loss(evaluate(minimum(to_negative, distance(positive, negative))));
    return loss(to_negative);
}
/// The same over vectors along the last axis, by pairwise_distance in the given norm.
template <reduction How = reduction::mean, expression A, expression P, expression N>
auto triplet_margin_loss(const A& anchor, const P& positive, const N& negative, double margin = 1, double p = 2,
                         detail::yes_or_no swap = false) {
    return detail::as_called("triplet_margin_loss", [&] {
        const auto distance = [p](const auto& x, const auto& y) { return pairwise_distance(x, y, p); };
        return triplet_margin_with_distance_loss<How>(anchor, positive, negative, distance, margin, swap);
    });
}
/// The mean of 1 - cosine_similarity(a, b) where y is 1, of max(0, that cosine - margin) where it is -1.
template <reduction How = reduction::mean, expression A, expression B, operand Y>
auto cosine_embedding_loss(const A& a, const B& b, const Y& y, double margin = 0) {
    const auto cosine = detail::as_called("cosine_embedding_loss", [&] { return cosine_similarity(a, b); });
    return detail::loss_of<How>("cosine_embedding_loss",
                                [&] { return where(y == 1, 1 - cosine, detail::excess(cosine - margin)); });
}

}  // namespace ricci
