// The wrapper of jet: an array with the coefficients of its Taylor series.
#pragma once
#include <array>

#include "../expr/traced.hpp"

namespace ricci {

template <detail::array A, int Degree, class Tag>
class taylor_tensor;

/// The rule of jet. Fused maps run once, on scalars that are series; linear ops map each coefficient; an op that has no
/// `expansion` follows from its pushforward, at a cost that may double with each order. Tag (the function's type) tells
/// nested ones apart.
template <class Tag, int Degree>
struct expand_by {
    using tag = Tag;
    static constexpr const char* name = "jet";
    static constexpr bool differentiates = true;
    static constexpr int priority = 2;
    static constexpr bool hands_on_windows = true;
    template <class Inner>
    using wrapped = taylor_tensor<Inner, Degree, Tag>;

    template <class Op, class... A>
    static auto call(const Op& op, const A&... a) {
        using W = expand_by;
        const level_t level = detail::checked_level<W>(a...);
        using plain = decltype(detail::call(op, detail::peel<W>(a)...));
        using active = detail::activity<has_series<A>()...>;
        if constexpr (!is_inexact_v<typename detail::pack_element_t<0, plain>::value_type> || active::count == 0) {
            return detail::call(op, detail::peel<W>(a)...);
        } else {
            const auto parts = coefficients<active>(op, level, a...);
            return detail::generate<plain::size>([&](auto i) {
                return detail::transform_indices<Degree + 1>(
                    [&](auto k) -> const auto& { return detail::get<k() * plain::size + i()>(parts); },
                    [&](const auto&... c) { return make(level, c...); });
            });
        }
    }
    template <class Op, class A>
    static auto call_list(const Op& op, const std::vector<A>& list) {
        const level_t level = detail::checked_list_level<expand_by>(list);
        return detail::transform_indices<Degree + 1>(
            [&](auto k) {
                std::vector<typename A::inner_type> coefficients;
                coefficients.reserve(list.size());
                for (const A& a : list) coefficients.push_back(a.coefficient(k()));
                return detail::call_list(op, coefficients);
            },
            [&](const auto&... c) { return make(level, c...); });
    }
    template <class A>
    static auto constant(const A& a) {
        const auto zero = detail::constant_array<A>(a.shape(), typename A::value_type(0));
        return detail::transform_indices<Degree>(
            [&](auto) -> const auto& { return zero; },
            [&](const auto&... c) { return taylor_tensor<A, Degree, Tag>(0, a, c...); });
    }
    template <class A>
    static A constant_of(const shape<A::rank>& extents, typename A::value_type value) {
        return constant(detail::constant_array<typename A::inner_type>(extents, value));
    }

   private:
    template <class A>
    static constexpr bool has_series() {
        return detail::wrapped_by_v<expand_by, A> && is_inexact_v<typename A::value_type>;
    }
    template <class A>
    static auto series_of(const A& a) {
        if constexpr (has_series<A>()) return detail::generate<Degree>([&](auto k) { return &a.coefficient(k() + 1); });
        else return detail::pack<>{};
    }
    /// The coefficients of the op's results, those of power 0 first.
    template <class Active, class Op, class... A>
    static auto coefficients(const Op& op, level_t level, const A&... a) {
        using W = expand_by;
        const auto inputs = detail::make_pack(&detail::peel<W>(a)...);
        if constexpr (requires { op.template expansion<Degree, Active>(inputs, detail::concat_all(series_of(a)...)); })
            return op.template expansion<Degree, Active>(inputs, detail::concat_all(series_of(a)...));
        else if constexpr (Degree == 1)
            return op.template pushforward<Active>(inputs, detail::concat_all(series_of(a)...));
        else return by_pushforward<Active>(op, level, a...);
    }
    /// y' is the pushforward of x' at x, both to one order less, where the op's rule is made of ops on series.
    template <class Active, class Op, class... A>
    static auto by_pushforward(const Op& op, level_t level, const A&... a) {
        const auto x = detail::make_pack(lowered<0>(a, level)...);
        const auto x_dot = detail::concat_all(derivative(a, level)...);
        const auto addresses = [](const auto&... each) { return detail::make_pack(&each...); };
        const auto both =
            op.template pushforward<Active>(detail::unpack(addresses, x), detail::unpack(addresses, x_dot));
        constexpr int n = decltype(both)::size / 2;
        return detail::generate<n*(Degree + 1)>([&](auto at) {
            constexpr int k = at() / n, i = at() % n;
            if constexpr (k == 0) return lowered_coefficient<0>(detail::get<i>(both));
            else {
                const auto c = lowered_coefficient<k - 1>(detail::get<n + i>(both));
                return evaluate(c / static_cast<typename std::remove_cvref_t<decltype(c)>::value_type>(k));
            }
        });
    }
    using lower = expand_by<Tag, Degree - 1>;
    /// The coefficients from First on, Degree of them, as a series; what has none as it is.
    template <int First, class A>
    static auto lowered(const A& a, level_t level) {
        if constexpr (!has_series<A>()) return detail::peel<expand_by>(a);
        else
            return detail::transform_indices<Degree>(
                [&](auto k) -> const auto& { return a.coefficient(k() + First); },
                [&](const auto&... c) {
                    return typename lower::template wrapped<typename A::inner_type>(level, c...);
                });
    }
    template <class A>
    static auto derivative(const A& a, level_t level) {
        if constexpr (!has_series<A>()) return detail::pack<>{};
        else
            return detail::transform_indices<Degree>(
                [&](auto k) { return evaluate(a.coefficient(k() + 1) * static_cast<typename A::value_type>(k() + 1)); },
                [&](const auto&... c) {
                    return detail::make_pack(typename lower::template wrapped<typename A::inner_type>(level, c...));
                });
    }
    template <int K, class Y>
    static auto lowered_coefficient(const Y& y) {
        if constexpr (detail::wrapped_by_v<lower, Y>) return y.coefficient(K);
        else if constexpr (K == 0) return y;
        else return detail::constant_array<Y>(y.shape(), 0);
    }
    template <class... C>
    static auto make(level_t level, const C&... c) {
        using chain = detail::chain_of_t<C...>;  // a coefficient may be batched where the value is not
        using A = std::common_type_t<decltype(detail::lift(chain{}, c))...>;
        return taylor_tensor<A, Degree, Tag>(level, detail::lift(chain{}, c)...);
    }
};

/// An array under jet: `inner()` is its value, `coefficient(k)` what stands before t^k.
template <detail::array A, int Degree, class Tag>
class taylor_tensor : public traced<taylor_tensor<A, Degree, Tag>> {
   public:
    using inner_type = A;
    using wrapper = expand_by<Tag, Degree>;
    using value_type = typename A::value_type;
    using device_type = typename A::device_type;
    static constexpr int rank = A::rank;
    static constexpr bool is_array = true;

    taylor_tensor() = default;
    taylor_tensor(const taylor_tensor&) = default;
    taylor_tensor(taylor_tensor&&) = default;
    taylor_tensor& operator=(const taylor_tensor&) & = default;
    taylor_tensor& operator=(taylor_tensor&&) & = default;
    using traced<taylor_tensor>::operator=;
    template <class... C>
        requires(sizeof...(C) == Degree + 1)
    explicit taylor_tensor(level_t level, const C&... c) : coefficients_{c...}, level_(level) {}
    template <detail::evaluates_to<taylor_tensor> E>
    taylor_tensor(const E& e) : taylor_tensor(evaluate(e)) {}
    const A& inner() const { return coefficients_[0]; }
    const A& coefficient(int k) const { return coefficients_[static_cast<std::size_t>(k)]; }
    level_t level() const { return level_; }
    level_t inner_level() const {
        level_t highest = 0;
        for (const A& c : coefficients_) highest = higher(highest, c.level());
        return highest;
    }
    const ricci::shape<rank>& shape() const { return inner().shape(); }
    index_t shape(int axis) const { return inner().shape(axis); }
    index_t size() const { return inner().size(); }
    static constexpr int ndim() { return rank; }
    /// The value of the only element, the series left aside.
    using traced<taylor_tensor>::item;
    value_type item() const { return inner().item(); }

    template <class F>
    auto with_inner(const F& f) const {
        return std::apply(
            [&](const auto&... c) {
                using B = std::common_type_t<decltype(f(c))...>;
                return taylor_tensor<B, Degree, Tag>(level_, f(c)...);
            },
            coefficients_);
    }

   private:
    static constexpr level_t higher(level_t a, level_t b) { return a < b ? b : a; }

    std::array<A, Degree + 1> coefficients_;
    level_t level_ = 0;
};

}  // namespace ricci
