// x(indices) of a value under a transform whose name may be written to: the part as it is, and where to write.
#pragma once
#include <memory>
#include <tuple>

#include "index.hpp"
#include "place_operators.hpp"
#include "rewrite.hpp"

namespace ricci {

template <class X, class... I>
class place;

namespace detail {

template <int R, class I>
void check_mask(const shape<R>& extents, int first, const I& i);

template <class I>
inline constexpr bool is_mask_index = false;
template <expression I>
inline constexpr bool is_mask_index<I> = std::is_same_v<typename I::value_type, bool>;

/// index_put(x, indices, v), in x's own memory where nobody else sees that (ops/index/write.hpp).
template <class X, class... I, class V>
auto put_over(const X& x, const std::tuple<I...>& indices, const V& v);
/// The value of `e` with elements of type T (ops/elementwise/astype.hpp).
template <class T, class E>
auto evaluate_as(const E& e);

/// What x(mask).add(e), multiply, maximum and minimum do to the elements that are selected.
template <reduction How>
struct element_join {
    template <class A, class B>
    auto operator()(const A& a, const B& b) const {
        if constexpr (How == reduction::sum) return a + b;
        else if constexpr (How == reduction::prod) return a * b;
        else if constexpr (How == reduction::amax) return maximum(a, b);
        else return minimum(a, b);
    }
};

/// x with e joined to the elements at these indices, to each as often as it is named.
template <reduction How, class X, class Indices, class E>
auto joined_at(const X& x, const Indices& indices, const E& e) {
    using T = typename X::value_type;
    check_in_place<T, common_t<T, kind_t<E>>>();
    if constexpr (How == reduction::sum) return index_put(x, indices, e, true);
    else return index_reduce<How>(x, indices, e);
}

template <class X, class... I>
using part_t = std::remove_cvref_t<decltype(index(std::declval<const X&>(), std::declval<const I&>()...))>;

/// Where the x of a part is: a name stays, but x(0) of x(0)(1) goes before a function returns this.
template <class X>
struct target_of {
    using type = X*;
};
template <class X, class... I>
struct target_of<place<X, I...>> {
    using type = std::unique_ptr<place<X, I...>>;
};

}  // namespace detail

/// The part of `x` that is selected, a value like any other; assigned to while it is unnamed, x(i...) = e or x(i...) +=
/// e, it binds the name x to an x with that part replaced. A part that has a name, auto row = x(0), is rebound by
/// itself.
template <class X, class... I>
class place : public detail::part_t<X, I...>, public detail::place_operators<place<X, I...>> {
    using part = detail::part_t<X, I...>;
    using operators = detail::place_operators<place>;
    friend operators;

   public:
    static constexpr bool is_array = false;

    RICCI_INLINE place(X& x, const I&... i) : part(index(static_cast<const X&>(x), i...)), of_(&x), index_(i...) {}
    /// A copy is a part with a name.
    place(const place& other) : part(other.fetch()), index_(other.index_) {}
    place& operator=(const place& other) & {
        part::operator=(other.fetch());
        return *this;
    }
    void operator=(const place& other) && { write(other.fetch()); }
    template <operand E>
    place& operator=(const E& e) & {
        part::operator=(e);
        return *this;
    }
    template <operand E>
    void operator=(const E& e) && {
        write(e);
    }
    using part::operator+=, part::operator-=, part::operator*=, part::operator/=, part::operator%=, part::operator&=,
        part::operator|=, part::operator^=, part::operator<<=, part::operator>>=;
    using operators::operator+=, operators::operator-=, operators::operator*=, operators::operator/=,
        operators::operator%=, operators::operator&=, operators::operator|=, operators::operator^=,
        operators::operator<<=, operators::operator>>=;
    using part::operator();
    template <class... J>
    auto operator()(const J&... j) && {
        return place<place, J...>(std::unique_ptr<place>(new place(*this, with_target())), j...);
    }
    const part& fetch() const { return *this; }
    /// While it is unnamed, a part of x's value, on the same memory: x(i).value() += e writes to x, and is not
    /// recorded.
    auto value() &&
        requires requires(X&& x) { std::move(x).value(); }
    {
        using shared = decltype(part::value());
        if constexpr ((!detail::is_index_array<I> && ...))
            if (of_)
                return std::apply([&](const I&... i) { return shared(evaluate(index(std::move(*of_).value(), i...))); },
                                  index_);
        return part::value();
    }
    auto value() const&
        requires requires(const part& p) { p.value(); }
    {
        return part::value();
    }

   private:
    template <class Y, class... J>
    friend class place;

    /// What `other`, which is unnamed, was: a place in x still.
    struct with_target {};
    place(place& other, with_target)
        : part(std::move(static_cast<part&>(other))), of_(std::move(other.of_)), index_(other.index_) {}
    place(std::unique_ptr<X> x, const I&... i)
        : part(index(static_cast<const X&>(*x), i...)), of_(std::move(x)), index_(i...) {}

    X& target() const {
        if (!of_) detail::raise<value_error>({"[assign] a copy of x(...) is no place in x: write x(...) = e"});
        return *of_;
    }
    template <class E>
    void write(const E& e) {
        detail::check_value_stays_complex<typename part::value_type, E>();
        target();
        if constexpr (expression<E>) write_values(detail::evaluate_as<typename part::value_type>(e));
        else write_values(e);
    }
    template <class V>
    void write_values(const V& values) {
        replace([&](const auto& x) {
            if constexpr (X::is_array) return detail::put_over(x, index_, values);
            else return index_put(x, index_, values);
        });
    }
    /// x becomes f(x). After it this is no part of anything: while it is, it has a share in x's memory.
    template <class F>
    void replace(const F& f) {
        X& x = target();
        {
            const part dropped(std::move(static_cast<part&>(*this)));
        }
        if constexpr (X::is_array) {
            detail::refuse_recorded_write(x);  // before f is computed
            detail::rewrite(x, f(x));
        } else {
            x.write(f(x.fetch()));
        }
    }
    template <reduction How, class E>
    void join(const E& e) {
        replace([&](const auto& x) { return detail::joined_at<How>(x, index_, e); });
    }
    template <class E, class F>
    void change(const E& e, const F& f) {
        const auto changed = f(fetch(), e);
        detail::check_in_place<typename part::value_type, value_type_t<decltype(changed)>>();
        write(changed);
    }

    typename detail::target_of<X>::type of_{};
    std::tuple<I...> index_;
};

/// The same where a mask is among the indices. How many elements it selects is not asked where a number is written to
/// them, so that it may differ between the members of a batch then.
template <class X, class... I>
class masked_place : public indexable<masked_place<X, I...>>, public detail::place_operators<masked_place<X, I...>> {
    using part = detail::part_t<X, I...>;
    using base = indexable<masked_place>;
    using operators = detail::place_operators<masked_place>;
    friend operators;

   public:
    using value_type = typename X::value_type;
    using device_type = typename X::device_type;
    static constexpr int rank = part::rank;
    static constexpr bool is_array = false;

    masked_place(X& x, const I&... i) : of_(&x), x_(x), index_(i...) {}
    masked_place(const masked_place& other) : x_(other.x_), index_(other.index_) {}
    void operator=(const masked_place& other) && { write(other.fetch()); }
    template <operand E>
    void operator=(const E& e) && {
        write(e);
    }
    using base::operator+=, base::operator-=, base::operator*=, base::operator/=, base::operator%=, base::operator&=,
        base::operator|=, base::operator^=, base::operator<<=, base::operator>>=;
    using operators::operator+=, operators::operator-=, operators::operator*=, operators::operator/=,
        operators::operator%=, operators::operator&=, operators::operator|=, operators::operator^=,
        operators::operator<<=, operators::operator>>=;

    part fetch() const {
        return std::apply([&](const I&... i) { return part(evaluate(index(x_, i...))); }, index_);
    }
    const ricci::shape<rank>& shape() const {
        extents_ = fetch().shape();
        return extents_;
    }
    index_t shape(int axis) const { return shape()[detail::normalize_axis(axis, rank, "shape")]; }
    index_t size() const { return shape().count(); }
    static constexpr int ndim() { return rank; }
    using base::item;
    value_type item() const { return fetch().item(); }

   private:
    /// A single mask, of the first axes of x.
    static constexpr bool is_alone = sizeof...(I) == 1;

    X& target() const {
        if (!of_) detail::raise<value_error>({"[assign] a copy of x(...) is no place in x: write x(...) = e"});
        return *of_;
    }
    auto mask() const {
        const auto given = evaluate(std::get<0>(index_));
        detail::check_mask(x_.shape(), 0, given);
        auto extents = detail::unit_shape<X::rank>();
        for (int d = 0; d < given.rank; ++d) extents[d] = given.shape()[d];
        return detail::reshaped(given, extents);
    }
    template <class E>
    void write(const E& e) const {
        detail::check_value_stays_complex<typename X::value_type, E>();
        if constexpr (is_alone && detail::is_number<E>) detail::rewrite(target(), evaluate(masked_fill(x_, mask(), e)));
        else detail::rewrite(target(), index_put(x_, index_, e));
    }
    /// A mask alone names each element once.
    template <reduction How, class E>
    void join(const E& e) const {
        if constexpr (is_alone) {
            change(e, detail::element_join<How>{});
        } else {
            detail::rewrite(target(), detail::joined_at<How>(x_, index_, e));
        }
    }
    template <class E, class F>
    void change(const E& e, const F& f) const {
        using changed = value_type_t<decltype(f(x_, e))>;
        detail::check_in_place<value_type, changed>();
        if constexpr (is_alone && detail::is_number<E>)
            detail::rewrite(target(), evaluate(masked_fill(x_, mask(), f(x_, e))));
        else write(f(fetch(), e));
    }

    X* of_ = nullptr;
    X x_;
    std::tuple<I...> index_;
    mutable ricci::shape<rank> extents_{};
};

namespace detail {

/// x(i...) of a name that may be written to.
template <class X, class... I>
RICCI_INLINE auto place_in(X& x, const I&... i) {
    if constexpr ((is_mask_index<I> || ...)) return masked_place<X, I...>(x, i...);
    else return place<X, I...>(x, i...);
}

}  // namespace detail
}  // namespace ricci
