// The wrapper of jvp: an array with its tangent.
#pragma once
#include "../expr/traced.hpp"

namespace ricci {

template <detail::array A, class Tag>
class dual_tensor;

namespace detail {

/// How jvp takes tangents through an op: by the op's own rule, unless Tag, which marks the function, has another one
/// (grad/dependence.hpp).
template <class Tag>
struct push_rule {
    static constexpr bool hands_on_windows = true;
    template <class Active, class Op, class Inputs, class Tangents>
    static auto push(const Op& op, const Inputs& inputs, const Tangents& tangents) {
        return op.template pushforward<Active>(inputs, tangents);
    }
};

}  // namespace detail

/// The rule of jvp. Tag (the function's type) tells nested ones apart.
template <class Tag>
struct push_by {
    using tag = Tag;
    static constexpr const char* name = "jvp";
    static constexpr bool differentiates = true;
    static constexpr int priority = 2;
    static constexpr bool hands_on_windows = requires { detail::push_rule<Tag>::hands_on_windows; };
    template <class Inner>
    using wrapped = dual_tensor<Inner, Tag>;

    template <class Op, class... A>
    static auto call(const Op& op, const A&... a) {
        using W = push_by;
        const level_t level = detail::checked_level<W>(a...);
        using plain = decltype(detail::call(op, detail::peel<W>(a)...));
        detail::refuse_captured_in<W>(static_cast<const plain*>(nullptr));
        if constexpr (!is_inexact_v<typename detail::pack_element_t<0, plain>::value_type>) {
            return detail::call(op, detail::peel<W>(a)...);
        } else {
            using active = detail::activity<has_tangent<A>()...>;
            if constexpr (active::count == 0) {
                return detail::call(op, detail::peel<W>(a)...);
            } else {
                auto both = detail::push_rule<Tag>::template push<active>(op, detail::make_pack(&detail::peel<W>(a)...),
                                                                          detail::concat_all(tangent_of(a)...));
                detail::refuse_captured_in<W>(&both);
                return detail::generate<plain::size>([&](auto k) {
                    return make(std::move(detail::get<k()>(both)), std::move(detail::get<plain::size + k()>(both)),
                                level);
                });
            }
        }
    }
    template <class Op, class A>
    static auto call_list(const Op& op, const std::vector<A>& list) {
        const level_t level = detail::checked_list_level<push_by>(list);
        std::vector<typename A::inner_type> values, tangents;
        for (const A& a : list) {
            values.push_back(a.inner());
            tangents.push_back(a.tangent());
        }
        return make(detail::call_list(op, values), detail::call_list(op, tangents), level);
    }
    template <class A>
    static auto constant(const A& a) {
        return dual_tensor<A, Tag>(a, detail::constant_array<A>(a.shape(), typename A::value_type(0)), 0);
    }
    template <class A>
    static A constant_of(const shape<A::rank>& extents, typename A::value_type value) {
        using inner = typename A::inner_type;
        return A(detail::constant_array<inner>(extents, value), detail::constant_array<inner>(extents, 0), 0);
    }

   private:
    template <class A>
    static constexpr bool has_tangent() {
        return detail::wrapped_by_v<push_by, A> && is_inexact_v<typename A::value_type>;
    }
    template <class A>
    static auto tangent_of(const A& a) {
        if constexpr (has_tangent<A>()) return detail::make_pack(&a.tangent());
        else return detail::pack<>{};
    }
    template <class Y, class D>
    static auto make(Y y, D y_dot, level_t level) {
        using chain = detail::chain_of_t<Y, D>;  // the tangent may be batched where the value is not
        auto value = detail::lifted(chain{}, std::move(y));
        auto tangent = detail::lifted(chain{}, std::move(y_dot));
        return dual_tensor<decltype(value), Tag>(std::move(value), std::move(tangent), level);
    }
};

/// An array under jvp: `inner()` is its value, `tangent()` the derivative along the chosen direction.
template <detail::array A, class Tag>
class dual_tensor : public traced<dual_tensor<A, Tag>> {
   public:
    using inner_type = A;
    using wrapper = push_by<Tag>;
    using value_type = typename A::value_type;
    using device_type = typename A::device_type;
    static constexpr int rank = A::rank;
    static constexpr bool is_array = true;

    dual_tensor() = default;
    dual_tensor(const dual_tensor&) = default;
    dual_tensor(dual_tensor&&) = default;
    dual_tensor& operator=(const dual_tensor&) & = default;
    dual_tensor& operator=(dual_tensor&&) & = default;
    using traced<dual_tensor>::operator=;
    dual_tensor(A value, A tangent, level_t level)
        : value_(std::move(value)), tangent_(std::move(tangent)), level_(level) {}
    template <detail::evaluates_to<dual_tensor> E>
    dual_tensor(const E& e) : dual_tensor(evaluate(e)) {}
    const A& inner() const { return value_; }
    const A& tangent() const { return tangent_; }
    level_t level() const { return level_; }
    level_t inner_level() const { return value_.level() > tangent_.level() ? value_.level() : tangent_.level(); }
    const ricci::shape<rank>& shape() const { return value_.shape(); }
    index_t shape(int axis) const { return value_.shape(axis); }
    index_t size() const { return value_.size(); }
    static constexpr int ndim() { return rank; }
    /// The value of the only element, the tangent left aside.
    using traced<dual_tensor>::item;
    value_type item() const { return value_.item(); }

    template <class F>
    auto with_inner(const F& f) const {
        auto value = f(value_);
        return dual_tensor<decltype(value), Tag>(std::move(value), f(tangent_), level_);
    }
    /// Adds another array by add(part, its part).
    template <class Add>
    void add_parts(const dual_tensor& other, const Add& add) {
        add(value_, other.value_);
        add(tangent_, other.tangent_);
        level_ = std::max(level_, other.level_);
    }

   private:
    A value_, tangent_;
    level_t level_ = 0;
};

}  // namespace ricci
