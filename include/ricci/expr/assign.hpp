// Assignment: evaluating an expression into a tensor, by rebinding a name or by writing through a view.
#pragma once
#include "fused.hpp"

namespace ricci {
namespace detail {

/// The first and one past the last address that a tensor's elements occupy.
template <class X>
void address_range(const X& x, const std::byte*& low, const std::byte*& high) {
    index_t below = 0, above = 0;
    for (int d = 0; d < X::rank; ++d) {
        const index_t reach = (x.shape()[d] - 1) * x.strides()[d];
        (reach < 0 ? below : above) += reach;
    }
    low = reinterpret_cast<const std::byte*>(x.data() + below);
    high = reinterpret_cast<const std::byte*>(x.data() + above + 1);
}

/// Whether writing `out` element by element could change an element of `x` that is still to be read: they overlap, and
/// not as the same elements in the same places.
template <class O, class X>
bool write_hazard(const O& out, const X& x) {
    if (out.size() == 0 || x.size() == 0) return false;
    const std::byte *a, *b, *c, *d;
    address_range(out, a, b);
    address_range(x, c, d);
    if (b <= c || d <= a) return false;
    if constexpr (O::rank == X::rank && sizeof(typename O::value_type) == sizeof(typename X::value_type)) {
        if (static_cast<const void*>(out.data()) == static_cast<const void*>(x.data()) && out.shape() == x.shape() &&
            out.strides() == x.strides())
            return false;
    }
    return true;
}

/// f(sweep, leaves...) of a map of plain leaves that is converted to elements of type T.
template <class T, class E, class F>
RICCI_INLINE void with_sweep_of(const E& e, const F& f) {
    with_parts(e, [&](const auto& map) {
        const auto leaves = leaves_of(map);
        const auto tree = convert_node<T>(make_tree(map));
        const auto sweep = value_sweep<decltype(slot_types(leaves))>(tree);
        unpack([&](const auto*... a) { f(sweep, *a...); }, leaves);
    });
}
/// Runs a map of plain leaves into `out`, whose shape the map broadcasts to and whose strides are given.
template <class E, class O>
RICCI_INLINE void run_map_into(const E& e, const O& out) {
    using T = typename O::value_type;
    using on = executor<typename O::device_type>;
    if constexpr (E::is_array && std::is_same_v<typename E::value_type, T>) on::copy(e, out);
    else
        with_sweep_of<T>(e, [&](const auto& sweep, const auto&... a) {
            on::template run_into<void>(sweep, out.shape(), out, out.strides(), a...);
        });
}
/// The same by way of memory of its own, as if all of the map were computed before any of it is written.
template <class E, class O>
void run_map_apart(const E& e, const O& out) {
    using T = typename O::value_type;
    using D = typename O::device_type;
    if constexpr (!(E::is_array && std::is_same_v<typename E::value_type, T>) && std::is_same_v<D, cpu_device>) {
        with_sweep_of<T>(
            e, [&](const auto& sweep, const auto&... a) { executor<D>::run_over_inputs(sweep, e.shape(), out, a...); });
    } else {
        const auto value = tensor<T, E::rank, D>::uninitialized(e.shape());
        run_map_into(e, value);
        executor<D>::copy(value, out);
    }
}

template <class E>
RICCI_NOINLINE tensor<typename E::value_type, E::rank, typename E::device_type> evaluate_plain(const E& e) {
    const auto y = tensor<typename E::value_type, E::rank, typename E::device_type>::uninitialized(e.shape());
    run_map_into(e, y);
    return y;
}

template <int R>
[[gnu::cold]] RICCI_NOINLINE void refuse_repeated(const shape<R>& extents, const shape<R>& strides) {
    if (extents.count() == 0) return;
    const auto repeats = repeating_axes(view_of_memory(extents, strides));
    for (int d = 0; d < R; ++d)
        if (repeats[d])
            detail::raise<value_error>({"[assign] axis ", d, " of a view of shape ", extents, " repeats ",
                                        strides[d] == 0 ? "its elements (it was expanded)" : "elements of other axes",
                                        ": write to a clone() of it"});
}
[[gnu::cold]] RICCI_NOINLINE inline void refuse_read_only() {
    raise<value_error>(
        {"[assign] this memory is for reading only: borrowed from const data, write to a clone() of it; or the value "
         "of a "
         "part = x(...) of an array that was written to, a copy, by which x would not see the write: write to the part "
         "of the value, x.value()(...) = e, or to a clone()"});
}
/// Refuses to write into repeated elements: which value they would end up with depends on the order of the writes.
template <class O>
void check_writable(const O& out) {
    if (out.memory().is_read_only()) refuse_read_only();
    index_t reach = 0;
    bool nested = true;  // each axis steps over all that the later ones reach
    for (int d = O::rank - 1; d >= 0; --d) {
        if (out.shape()[d] == 1) continue;
        const index_t pace = out.strides()[d] < 0 ? -out.strides()[d] : out.strides()[d];
        nested = nested && pace > reach;
        reach += (out.shape()[d] - 1) * pace;
    }
    if (!nested) refuse_repeated(out.shape(), out.strides());
}

template <class E, class O>
bool any_hazard(const E& e, const O& out) {
    return unpack([&](const auto*... a) { return (false || ... || write_hazard(out, *a)); }, leaves_of(e));
}

/// A small map of dense leaves, into `out` with no more ado; false when it is not one.
template <class E, class O>
RICCI_INLINE bool run_dense_map(const E& e, const O& out) {
    using T = typename O::value_type;
    if constexpr (E::is_array || E::rank == 0) {
        return false;
    } else {
        const auto leaves = leaves_of(e);
        const auto sweep = value_sweep<decltype(slot_types(leaves))>(convert_node<T>(make_tree(e)));
        return unpack([&](const auto*... a) { return executor<typename O::device_type>::run_dense(sweep, out, *a...); },
                      leaves);
    }
}

/// Whether nobody else sees the elements: no other handle, and, on the CPU, no owner outside of the library.
template <class T, int R, class D>
RICCI_INLINE bool is_reusable(const tensor<T, R, D>& x) {
    if constexpr (std::is_same_v<D, cpu_device>) return x.memory().uniquely_owns_payload();
    else return x.memory().unique();
}
/// The array, or a copy where someone else sees it.
template <class A>
A unshared(const A& a) {
    if constexpr (std::is_void_v<typename A::wrapper>) return is_reusable(a) ? a : a.clone();
    else return a;
}
template <class T, int R, class D>
tensor<T, R, D> unshared(const tensor<const T, R, D>& a) {
    return a.clone();
}

/// A map of plain arrays into a view that it broadcasts to.
template <class T, int R, class D, class E>
RICCI_INLINE void write_map(const tensor<T, R, D>& out, const E& e) {
    for (int i = 0; i < E::rank; ++i)
        if (e.shape()[i] != 1 && e.shape()[i] != out.shape()[R - E::rank + i])
            raise<shape_error>({"[assign] shape ", e.shape(), " does not broadcast to the view's shape ", out.shape()});
    if (any_hazard(e, out) || pays_apart<D>(e, out.size())) {
        run_map_apart(e, out);
    } else if (!out.is_contiguous() || !run_dense_map(e, out)) {
        run_map_into(e, out);
    }
    out.memory().bump_version();
}
}  // namespace detail

/// Writes the value of `e`, broadcast and converted, into the elements of `out`. As if `e` had been evaluated first.
/// Throws shape_error when it does not broadcast to the shape of `out`; nothing is written then.
template <class T, int R, class D, class E>
void write(const tensor<T, R, D>& out, const E& e) {
    detail::check_writable(out);
    if constexpr (std::is_const_v<T>) {
        detail::refuse_write<E>();
    } else if constexpr (scalar_value<E>) {
        detail::check_stays_complex<T, E>();
        executor<D>::fill(out, detail::convert_number<T>(e));
        out.memory().bump_version();
    } else if constexpr (deferred<E>) {
        write(out, e.fetch());
    } else {
        detail::check_stays_complex<T, typename E::value_type>();
        constexpr bool fits = E::rank <= R, same_device = std::is_same_v<typename E::device_type, D>;
        static_assert(fits, "ricci: the right side has more dimensions than the view it is assigned to");
        static_assert(same_device, "ricci: the sides live on different devices");
        static_assert(
            detail::all_plain<E>(),
            "ricci: a value under grad, jvp or vmap cannot be written into a plain tensor: write into one that is "
            "under the transform, too, auto y = lift(zeros, x) for one that begins as zeros");
        if constexpr (fits && same_device && detail::all_plain<E>()) detail::write_map(out, e);
    }
}

namespace detail {

/// Replaces an array that nobody else sees yet by a map of it.
template <class E, class O>
void update(const O& fresh, const E& e) {
    if (!run_dense_map(e, fresh)) run_map_into(e, fresh);
}
template <class T, int R, class D, class E>
RICCI_NOINLINE void assign_map(tensor<T, R, D>& out, const E e) {
    if constexpr (!std::is_const_v<T>) {
        // memory that is not seen through a handle may be borrowed
        if (out.shape() == e.shape() && is_reusable(out) && out.is_contiguous() && !any_hazard(e, out))
            return run_map_into(e, out);
    }
    const auto fresh = tensor<std::remove_const_t<T>, R, D>::uninitialized(e.shape());
    run_map_into(e, fresh);
    out = tensor<T, R, D>(fresh.memory(), fresh.data(), fresh.shape(), fresh.strides());
}

}  // namespace detail

/// Rebinds `out` to the value of `e`. Its buffer is used again when nobody else sees it and the shape fits.
template <class T, int R, class D, class E>
RICCI_INLINE void assign(tensor<T, R, D>& out, const E& e) {
    static_assert(std::is_same_v<typename E::device_type, D>, "ricci: the sides live on different devices");
    detail::check_stays_complex<T, typename E::value_type>();
    static_assert(
        detail::all_plain<E>(),
        "ricci: a value under grad, jvp or vmap is not a plain tensor: keep it as auto (one that a loop changes "
        "begins as lift(start, x), x under the transform), or detach it");
    if constexpr (requires { e.fetch_over(out); }) {
        e.fetch_over(out);
    } else if constexpr (deferred<E>) {
        if constexpr (std::is_same_v<T, typename E::value_type>)
            if (out.shape() == e.shape() && detail::is_reusable(out) && out.is_contiguous() && e.fetch_into(out))
                return;
        assign(out, e.fetch());
    } else if constexpr (E::is_array &&
                         requires(T* data) { data = e.data(); }) {  // a read-only view is copied into a tensor<T>
        out = tensor<T, R, D>(e.memory(), e.data(), e.shape(), e.strides());
    } else {
        if constexpr (!std::is_const_v<T>) {
            if (out.shape() == e.shape() && detail::is_reusable(out) && out.is_contiguous() &&
                detail::run_dense_map(e, out)) [[likely]]
                return;
        }
        detail::assign_map(out, E(e));  // by value: where the short way is taken, `e` can stay in registers
    }
}

}  // namespace ricci
