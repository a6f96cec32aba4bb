// Connectionist temporal classification: ctc_loss.
#pragma once
#include "elementwise/logaddexp.hpp"
#include "loss.hpp"
#include "pad.hpp"

namespace ricci {

/// What ctc_loss takes: the class that stands for no label, and whether targets that no path spells cost 0 instead of
/// infinity.
struct ctc_options {
    index_t blank = 0;
    bool zero_infinity = false;
};

namespace detail {

/// The length of each member of a batch, of a vector or of one number for all.
template <class D, class L>
auto lengths_of(const L& given, index_t batch) {
    if constexpr (!expression<L>) {
        static_assert(std::is_integral_v<L> && !std::is_same_v<L, bool>,
                      "ricci: lengths are integers, a vector with one for each member or one number for all");
        return full<std::int64_t>(shape<1>{batch}, static_cast<std::int64_t>(given), D{});
    } else {
        static_assert(L::rank <= 1 && std::is_integral_v<typename L::value_type>,
                      "ricci: lengths are integers, a vector with one for each member or one number for all");
        return evaluate(expanded(placed<D>(evaluate_as<std::int64_t>(stop_gradient(given))), shape<1>{batch}));
    }
}
/// The labels of each member with a blank between all and at both ends; blanks behind a member's labels.
template <class K, class L>
auto labels_among_blanks(const K& targets, const L& labels, index_t blank) {
    const index_t n = targets.shape()[0], most = targets.shape()[1];
    const auto place = arange<std::int64_t>(most).to(device_t<K>{});
    const auto counts = evaluate(place < expand_dims(labels, 1));
    require_all(evaluate(logical_or(!counts, targets != blank)), "ctc_loss",
                "the blank is no label that targets can have");
    const auto mine = evaluate(where(counts, targets, std::int64_t(blank)));
    const auto pairs = stack(std::make_tuple(evaluate(0 * mine + std::int64_t(blank)), mine), 2);
    return evaluate(pad(reshape(pairs, shape<2>{n, 2 * most}), {{0, 0}, {0, 1}}, std::int64_t(blank)));
}
/// What each member costs, log_p of shape (steps, batch, classes): the forward recurrence over places in its labels
/// among blanks, whose pullback is the backward one. An impossible place has a finite logarithm, so that derivatives
/// stay numbers: far from what any path costs, and such that as many steps as there may be add up to a number of float.
template <class X, class K, class I, class L>
auto ctc_of_each(const X& log_p, const K& path, const I& steps, const L& labels, bool zero_infinity) {
    using T = typename X::value_type;
    constexpr T never = T(-1e30), infinity = std::numeric_limits<T>::infinity();
    const auto emitted = evaluate(maximum(take_along_axis(log_p, expand_dims(path, 0), 2), never));
    const auto place = arange<std::int64_t>(path.shape()[1]).to(device_t<X>{});
    const auto other = index(path, all, slice(2, none)) != index(path, all, slice(none, -2));
    const auto skips = evaluate(pad(evaluate(other), {{0, 0}, {std::min<index_t>(2, path.shape()[1]), 0}}, false));
    const auto going = expand_dims(steps, 1);
    auto at = lift(evaluate(where(place < 2, index(emitted, 0), never)), emitted, steps, labels);
    for (index_t t = 1; t < log_p.shape()[0]; ++t) {
        const auto from = evaluate(pad(at, {{0, 0}, {2, 0}}, never));
        const auto stays = logaddexp(index(from, all, slice(2, none)), index(from, all, slice(1, -1)));
        const auto comes = logaddexp(stays, where(skips, index(from, all, slice(none, -2)), never));
        at = evaluate(where(going > t, comes + index(emitted, t), at));
    }
    const auto ends = [&](const auto& p) { return squeeze(take_along_axis(at, expand_dims(p, 1), 1), 1); };
    const auto behind = where(labels > 0, ends(evaluate(maximum(2 * labels - 1, 0))), never);
    const auto cost = -logaddexp(ends(evaluate(2 * labels)), behind);
    const auto impossible = where(steps == 0, labels > 0, cost > T(1e29));
    return evaluate(where(impossible, zero_infinity ? T(0) : infinity, where(steps == 0, T(0), cost)));
}
template <reduction How, class X, class K, class I, class L>
auto ctc_of_batch(const X& log_p, const K& given, const I& input_lengths, const L& target_lengths,
                  const ctc_options& options) {
    using D = device_t<X>;
    const index_t steps = log_p.shape()[0], n = log_p.shape()[1], classes = log_p.shape()[2];
    if (given.shape()[0] != n || steps < 1 || classes < 1)
        raise<shape_error>({"[ctc_loss] targets of shape ", given.shape(), " for logarithms of shape ", log_p.shape()});
    if (options.blank < 0 || options.blank >= classes)
        raise<value_error>({"[ctc_loss] the blank ", options.blank, " is none of ", classes, " classes"});
    const auto inputs = lengths_of<D>(input_lengths, n);
    const auto labels = lengths_of<D>(target_lengths, n);
    require_between<value_error>(inputs, 0, steps, "ctc_loss", "an input's length");
    require_between<value_error>(labels, 0, given.shape()[1], "ctc_loss", "a target's length");
    const auto targets = placed<D>(evaluate_as<std::int64_t>(stop_gradient(given)));
    const auto path = labels_among_blanks(targets, labels, options.blank);
    require_classes(path, classes, "ctc_loss");
    using T = inexact_t<typename X::value_type>;
    return computed_wide(evaluate_as<T>(log_p), [&](const auto& wide) {
        using S = typename std::remove_cvref_t<decltype(wide)>::value_type;
        const auto each = ctc_of_each(wide, path, inputs, labels, options.zero_infinity);
        if constexpr (How == reduction::mean) return evaluate(mean(each / astype<S>(maximum(labels, 1))));
        else return evaluate(loss_of<How>("ctc_loss", [&] { return each; }));
    });
}

}  // namespace detail

/// Minus the logarithm of the probability that classes drawn at each step, by their logarithms log_p of shape (steps,
/// batch, classes), spell the targets when repetitions and then blanks are left out. Targets have shape (batch,
/// labels), what lies behind a member's length is not looked at; lengths are vectors of integers, or one number for
/// all: ctc_loss(log_softmax(x, 2), targets, 50, lengths). The mean divides each cost by its target's length (1 of
/// none) first; torch.nn.functional's, save that targets in a row, (sum of lengths), are to be given as rows. Without a
/// batch log_p is (steps, classes) and targets (labels). The derivative is minus the share of the paths that pass a
/// place (torch's adds exp(log_p), which log_softmax takes away again). Throws shape_error where batches differ,
/// value_error for lengths or a blank out of range and for a blank among the labels, index_error for a label that is no
/// class. (Graves et al. 2006.)
template <reduction How = reduction::mean, expression X, expression K, operand I, operand L>
auto ctc_loss(const X& log_p, const K& targets, const I& input_lengths, const L& target_lengths,
              const ctc_options& options = {}) {
    static_assert(X::rank == 3 || X::rank == 2,
                  "ricci: ctc_loss takes logarithms of shape (steps, batch, classes), or (steps, classes)");
    static_assert(K::rank == X::rank - 1 && std::is_integral_v<typename K::value_type>,
                  "ricci: targets of ctc_loss are integers, a row of labels for each member of the batch");
    if constexpr (X::rank == 3) {
        return detail::ctc_of_batch<How>(log_p, targets, input_lengths, target_lengths, options);
    } else {
        const auto cost = detail::ctc_of_batch<How>(evaluate(expand_dims(log_p, 1)), evaluate(expand_dims(targets, 0)),
                                                    input_lengths, target_lengths, options);
        if constexpr (How == reduction::none) return evaluate(squeeze(cost, 0));
        else return cost;
    }
}

}  // namespace ricci
