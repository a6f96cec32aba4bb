// Optimizers that train by gradients, as torch.optim has them: optim::sgd, adam, adamw, rmsprop, adagrad.
#pragma once
#include <cmath>

#include "../expr/assign.hpp"
#include "../expr/structure.hpp"
#include "../ops/create.hpp"
#include "../ops/elementwise.hpp"

namespace ricci::optim {
namespace detail {

using namespace ricci::detail;

struct as_it_is {
    template <class A>
    const A& operator()(const A& a) const {
        return a;
    }
};
template <class A>
inline constexpr bool is_stored_v = false;
template <class T, int R, class D>
inline constexpr bool is_stored_v<tensor<T, R, D>> = !std::is_const_v<T> && is_real_floating_v<T>;
template <class A>
inline constexpr bool is_stored_v<list_of_arrays<A>> = is_stored_v<A>;
template <class... P>
constexpr bool all_stored(const pack<P...>*) {
    return (is_stored_v<std::remove_cvref_t<P>> && ...);
}
/// The arrays of a structure must be such as can be written to: not numbers, maps or what is under a transform.
template <class S>
constexpr void check_parameters() {
    using places = std::remove_cvref_t<decltype(structure<S>::arrays(std::declval<const S&>(), as_it_is{}))>;
    static_assert(all_stored(static_cast<const places*>(nullptr)),
                  "ricci: an optimizer writes into its parameters: a structure of tensors of floating types, "
                  "evaluate(...) of expressions, and w.value() of a variable");
}
template <class S>
auto zeros_beside(const S& parameters) {
    return tree_map([](const auto& w) { return evaluate(zeros_like(w)); }, parameters);
}
/// a = e, in a's memory.
template <class A, class E>
void put(const A& a, const E& e) {
    A to = a;
    write(to, e);
}

}  // namespace detail

/// Options of sgd, with torch's meanings.
struct sgd_options {
    double lr = 1e-3;
    double momentum = 0;
    double dampening = 0;
    double weight_decay = 0;
    bool nesterov = false;
};
/// Options of adam.
struct adam_options {
    double lr = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 0;
};
/// Options of adamw, whose weights decay unless it is told otherwise.
struct adamw_options {
    double lr = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 1e-2;
};
/// Options of rmsprop.
struct rmsprop_options {
    double lr = 1e-2;
    double alpha = 0.99;
    double eps = 1e-8;
    double weight_decay = 0;
    double momentum = 0;
    bool centered = false;
};
/// Options of adagrad.
struct adagrad_options {
    double lr = 1e-2;
    double lr_decay = 0;
    double weight_decay = 0;
    double initial_accumulator_value = 0;
    double eps = 1e-10;
};

/// Gradient descent, with momentum or Nesterov's if that is asked for. As all optimizers here it is made of the
/// parameters, a structure of tensors (expr/structure.hpp), of which it keeps the shapes, and its `step(parameters,
/// gradient)` writes the next ones in their place, so that all who hold these see them: `optim::sgd descent(model, {.lr
/// = 0.1}); descent.step(model, grad(loss)(model, x, y));`, or of variables `descent.step(rc::tuple(w.value()),
/// rc::tuple(w.grad()))`. `options` may be changed between steps, as schedules of lr do. (torch.optim.SGD.)
template <class S>
class sgd {
   public:
    sgd_options options;

    explicit sgd(const S& parameters, const sgd_options& o = {})
        : options(o), velocity_(detail::zeros_beside(parameters)) {
        detail::check_parameters<S>();
    }
    template <class G>
    void step(const S& parameters, const G& gradient) {
        const double kept = steps_++ == 0 ? 1 : 1 - options.dampening;  // the first one is the gradient itself
        tree_map(
            [&](const auto& w, const auto& g, const auto& v) {
                const auto slope = g + options.weight_decay * w;
                if (options.momentum == 0) return detail::put(w, w - options.lr * slope);
                detail::put(v, options.momentum * v + kept * slope);
                if (options.nesterov) detail::put(w, w - options.lr * (slope + options.momentum * v));
                else detail::put(w, w - options.lr * v);
            },
            parameters, gradient, velocity_);
    }

   private:
    decltype(detail::zeros_beside(std::declval<const S&>())) velocity_;
    index_t steps_ = 0;
};

namespace detail {

/// Adam's step; decay of the weights within the gradient, or apart from it.
template <bool Decoupled, class O, class S, class G, class M>
void adam_step(const O& o, index_t steps, const S& parameters, const G& gradient, const M& means, const M& squares) {
    const double first = 1 - std::pow(o.beta1, static_cast<double>(steps)),
                 second = std::sqrt(1 - std::pow(o.beta2, static_cast<double>(steps)));
    const double decay = Decoupled ? 0 : o.weight_decay, shrink = Decoupled ? 1 - o.lr * o.weight_decay : 1;
    tree_map(
        [&](const auto& w, const auto& g, const auto& m, const auto& v) {
            const auto slope = g + decay * w;
            put(m, o.beta1 * m + (1 - o.beta1) * slope);
            put(v, o.beta2 * v + (1 - o.beta2) * square(slope));
            put(w, shrink * w - (o.lr / first) * m / (sqrt(v) / second + o.eps));
        },
        parameters, gradient, means, squares);
}

/// What adam and adamw keep.
template <class S, class Options>
class adam_state {
   public:
    Options options;

    explicit adam_state(const S& parameters, const Options& o)
        : options(o), means_(zeros_beside(parameters)), squares_(zeros_beside(parameters)) {
        check_parameters<S>();
    }
    template <class G>
    void step(const S& parameters, const G& gradient) {
        adam_step<std::is_same_v<Options, adamw_options>>(options, ++steps_, parameters, gradient, means_, squares_);
    }

   private:
    decltype(zeros_beside(std::declval<const S&>())) means_, squares_;
    index_t steps_ = 0;
};

}  // namespace detail

/// Adam (Kingma & Ba 2015). Used as sgd. (torch.optim.Adam.)
template <class S>
class adam : public detail::adam_state<S, adam_options> {
   public:
    explicit adam(const S& parameters, const adam_options& o = {})
        : detail::adam_state<S, adam_options>(parameters, o) {}
};
/// Adam with the weights' decay apart from the gradient (Loshchilov & Hutter 2019). Used as sgd. (torch.optim.AdamW.)
template <class S>
class adamw : public detail::adam_state<S, adamw_options> {
   public:
    explicit adamw(const S& parameters, const adamw_options& o = {})
        : detail::adam_state<S, adamw_options>(parameters, o) {}
};

/// Steps divided by the root of the gradient's mean square, or variance where it is centered (Hinton 2012). Used as
/// sgd. (torch.optim.RMSprop.)
template <class S>
class rmsprop {
   public:
    rmsprop_options options;

    explicit rmsprop(const S& parameters, const rmsprop_options& o = {})
        : options(o),
          squares_(detail::zeros_beside(parameters)),
          means_(detail::zeros_beside(parameters)),
          velocity_(detail::zeros_beside(parameters)) {
        detail::check_parameters<S>();
    }
    template <class G>
    void step(const S& parameters, const G& gradient) {
        const auto& o = options;
        tree_map(
            [&](const auto& w, const auto& g, const auto& s, const auto& m, const auto& v) {
                const auto slope = evaluate(g + o.weight_decay * w);
                detail::put(s, o.alpha * s + (1 - o.alpha) * square(slope));
                if (o.centered) detail::put(m, o.alpha * m + (1 - o.alpha) * slope);  // zeros otherwise
                detail::put(v, o.momentum * v + slope / (sqrt(s - square(m)) + o.eps));
                detail::put(w, w - o.lr * v);
            },
            parameters, gradient, squares_, means_, velocity_);
    }

   private:
    decltype(detail::zeros_beside(std::declval<const S&>())) squares_, means_, velocity_;
};

/// Steps divided by the root of the sum of all squares of the gradient (Duchi, Hazan & Singer 2011). Used as sgd.
/// (torch.optim.Adagrad.)
template <class S>
class adagrad {
   public:
    adagrad_options options;

    explicit adagrad(const S& parameters, const adagrad_options& o = {})
        : options(o),
          squares_(tree_map([&](const auto& w) { return evaluate(full_like(w, o.initial_accumulator_value)); },
                            parameters)) {
        detail::check_parameters<S>();
    }
    template <class G>
    void step(const S& parameters, const G& gradient) {
        const auto& o = options;
        const double rate = o.lr / (1 + static_cast<double>(steps_++) * o.lr_decay);
        tree_map(
            [&](const auto& w, const auto& g, const auto& s) {
                const auto slope = evaluate(g + o.weight_decay * w);
                detail::put(s, s + square(slope));
                detail::put(w, w - rate * slope / (sqrt(s) + o.eps));
            },
            parameters, gradient, squares_);
    }

   private:
    decltype(detail::zeros_beside(std::declval<const S&>())) squares_;
    index_t steps_ = 0;
};

}  // namespace ricci::optim
