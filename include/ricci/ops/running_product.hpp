// Running products along the last axis, and the first-order recurrences that their derivatives are.
#pragma once
#include "linalg/matrix_op.hpp"
#include "rearrange.hpp"

namespace ricci::detail {

/// `a` with a first element along an axis.
template <class A>
auto with_initial(const A& a, int axis, typename A::value_type value) {
    auto extents = a.shape();
    extents[axis] = 1;
    return concat(std::make_tuple(full<typename A::value_type>(extents, value, device_t<A>{}), a), axis);
}

/// Of each element along the last axis the one before it, of the first one the value.
template <class Y>
auto one_later(const Y& y, typename Y::value_type front) {
    constexpr int last = Y::rank - 1;
    const index_t n = y.shape()[last];
    if (n == 0) return evaluate(y);
    return with_initial(stretch_of(y, last, 0, n - 1), last, front);
}

/// y[i] = u[i] + a[i] y[i - 1] along the last axis of a and u (..., rows, n); a[0] is not read. Its derivatives are
/// such, too.
struct recurrence_op : matrix_op<recurrence_op> {
    static constexpr const char* name = "cumulative_prod";

    template <class A, class U>
    auto value(const A& a, const U& u) const {
        using D = typename U::device_type;
        if constexpr (std::is_same_v<D, cpu_device>) {
            const auto y = u.clone();
            run(dense_of(a), y);
            return make_pack(y);
        } else {
            return make_pack(by_doubling(a, u));
        }
    }
    template <class Active, class A, class U, class Y, class C>
    auto adjoints(const pack<const A*, const U*>& inputs, const pack<Y>& y, const pack<C>& bars) const {
        const auto u_bar = backwards(*get<0>(inputs), get<0>(bars));
        return two_adjoints<Active>([&] { return evaluate(u_bar * one_later(get<0>(y), 0)); }, [&] { return u_bar; });
    }
    template <class Active, class A, class U, class Y, class... D>
    auto tangents(const pack<const A*, const U*>& inputs, const pack<Y>& y, const pack<const D*...>& dots) const {
        const auto late = [&] { return evaluate(-(*get<0>(dots) * one_later(get<0>(y), 0))); };
        return make_pack(call1(*this, *get<0>(inputs), moved_right_side<Active>(dots, late)));
    }
    /// The transpose of u -> y: from the end, y[i] = u[i] + a[i + 1] y[i + 1].
    template <class A, class C>
    static auto backwards(const A& a, const C& bar) {
        constexpr int last = C::rank - 1;
        return evaluate(
            flip(call1(recurrence_op{}, evaluate(flip(roll(a, -1, last), last)), evaluate(flip(bar, last))), last));
    }

   private:
    /// Some lines at a time, in which no step waits for another line's.
    template <class A, class Y>
    static void run(const A& a, const Y& y) {
        using T = typename Y::value_type;
        constexpr index_t abreast = 4;
        const index_t n = y.shape()[Y::rank - 1], lines = n > 0 ? y.size() / n : 0;
        const T* const by = a.data();
        T* const to = y.data();
        for_blocks((lines + abreast - 1) / abreast, abreast * n, [=](index_t block) {
            const index_t first = block * abreast;
            if (first + abreast > lines) {
                for (index_t i = first * n; i < lines * n; ++i)
                    if (i % n != 0) to[i] = to[i] + by[i] * to[i - 1];
                return;
            }
            T before[abreast];
            for (index_t k = 0; k < abreast; ++k) before[k] = to[(first + k) * n];
            for (index_t i = 1; i < n; ++i)
                for (index_t k = 0; k < abreast; ++k) {
                    const index_t at = (first + k) * n + i;
                    to[at] = before[k] = to[at] + by[at] * before[k];
                }
        });
    }
    /// After k steps each element has taken in the 2^k up to it: the maps y -> u + a y are joined.
    template <class A, class U>
    static U by_doubling(A a, U u) {
        constexpr int last = U::rank - 1;
        const index_t n = u.shape()[last];
        for (index_t reach = 1; reach < n; reach *= 2) {
            const auto later = [&](const auto& x) { return stretch_of(x, last, reach, n - reach); };
            const auto sooner = [&](const auto& x) { return stretch_of(x, last, 0, n - reach); };
            const auto behind = [&](const auto& x, const auto& joined) {
                return concat(std::make_tuple(evaluate(stretch_of(x, last, 0, reach)), evaluate(joined)), last);
            };
            const U sums = behind(u, later(u) + later(a) * sooner(u));
            a = behind(a, later(a) * sooner(a));
            u = sums;
        }
        return u;
    }
};

/// The products of the elements up to each along the last axis of x (..., rows, n); derivatives are exact where
/// elements are 0.
struct running_product_op : matrix_op<running_product_op> {
    static constexpr const char* name = "cumulative_prod";

    template <class X>
    auto value(const X& x) const {
        const auto y = X::uninitialized(x.shape());
        executor<typename X::device_type>::cumulative_prod(x, y, X::rank - 1);
        return make_pack(y);
    }
    template <class Active, class X, class Y, class C>
    auto adjoints(const pack<const X*>& inputs, const pack<Y>& y, const pack<C>& bars) const {
        const auto bar = recurrence_op::backwards(*get<0>(inputs), get<0>(bars));
        return make_pack(evaluate(bar * one_later(get<0>(y), 1)));
    }
    template <class Active, class X, class Y, class D>
    auto tangents(const pack<const X*>& inputs, const pack<Y>& y, const pack<const D*>& dots) const {
        return make_pack(call1(recurrence_op{}, *get<0>(inputs), evaluate(*get<0>(dots) * one_later(get<0>(y), 1))));
    }
};

}  // namespace ricci::detail
