// New arrays of numbers evenly spaced, or their powers: arange, linspace, logspace, geomspace.
#pragma once
#include <atomic>
#include <cmath>
#include <limits>

#include "../core/tensor.hpp"

namespace ricci {
namespace detail {

/// start + i * step, rounded twice, as everyone else's are: contracted, linspace(-1, 1, 11) would have 6e-17 in its
/// middle. In blocks that stay in the cache, with positions in them that registers convert.
template <class T>
void write_sequence(T* x, index_t n, compute_t<T> start, compute_t<T> step) {
    constexpr index_t block = 512;
    for (index_t from = 0; from < n; from += block, x += block) {
        const int count = static_cast<int>(n - from < block ? n - from : block);
        const auto first = static_cast<double>(from);
        const auto number = [first](int i) { return static_cast<compute_t<T>>(first + i); };
        if constexpr (is_half_v<T>) {  // rounded once more anyway
            for (int i = 0; i < count; ++i) x[i] = start + number(i) * step;
        } else {
            for (int i = 0; i < count; ++i) x[i] = number(i) * step;
            std::atomic_signal_fence(std::memory_order_seq_cst);
            for (int i = 0; i < count; ++i) x[i] = start + x[i];
        }
    }
}

/// What the bounds of a sequence of T are given as: those of short integers may lie beyond these.
template <class T>
using sequence_bound_t = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 8, std::int64_t, T>;

}  // namespace detail

/// start, start + step, ... below (for a negative step, above) stop: ceil((stop - start) / step) elements, each
/// start + i * step; integers wrap around. Throws value_error for a step of 0.
template <element T, device_tag Device = cpu_device>
tensor<T, 1, Device> arange(detail::sequence_bound_t<T> start, detail::sequence_bound_t<T> stop,
                            detail::sequence_bound_t<T> step = 1, Device device = {}) {
    static_assert(!is_complex_v<T>, "ricci: arange counts by real numbers: astype<std::complex<double>>(arange(3.0))");
    using bound = detail::sequence_bound_t<T>;
    if (step == bound(0)) detail::raise<value_error>({"[arange] the step must not be zero"});
    index_t n = 0;
    if constexpr (std::is_integral_v<T>) {
        if (step > 0 ? stop > start : stop < start) {
            const auto gap = step > 0 ? static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start)
                                      : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(stop);
            const auto by = step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
            n = static_cast<index_t>((gap - 1) / by + 1);
        }
    } else {
        const double count =
            std::ceil((static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step));
        if (!(count < 9e18)) detail::raise<value_error>({"[arange] the number of elements is not finite or too large"});
        n = count > 0 ? static_cast<index_t>(count) : 0;
    }
    auto x = tensor<T, 1>::uninitialized({n});
    if constexpr (std::is_integral_v<T>) {  // modulo 2^64, so that no intermediate overflows
        for (index_t i = 0; i < n; ++i)
            x.data()[i] = static_cast<T>(static_cast<std::uint64_t>(start) +
                                         static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(step));
    } else {
        detail::write_sequence<T>(x.data(), n, start, step);
    }
    return x.to(device);
}
template <element T, device_tag Device = cpu_device>
tensor<T, 1, Device> arange(detail::sequence_bound_t<T> stop, Device device = {}) {
    using bound = detail::sequence_bound_t<T>;
    return arange<T>(bound(0), stop, bound(1), device);
}

namespace detail {

/// The common type of a sequence's bounds and step, but of integers with a sign and without one that with it: C++ would
/// make the -1 of arange(v.size() - 1, -1, -1) the largest number there is.
template <class... N>
struct sequence_type : std::common_type<N...> {};
template <class... N>
    requires(std::is_unsigned_v<std::common_type_t<N...>> && (std::is_signed_v<N> || ...))
struct sequence_type<N...> : std::type_identity<std::int64_t> {};
template <class T, class N>
T bound_as(const N& bound) {
    return static_cast<T>(static_cast<number_t<N>>(bound));
}

}  // namespace detail

/// Of the arguments' common type: arange(10) of int, arange(0, 1, 0.1) of double; std::int64_t of integers with a sign
/// and without. Results of rank 0 are numbers, too: arange(max(k)).
template <std::nullptr_t = nullptr, class N>
    requires detail::is_number<N>
auto arange(const N& stop) {
    using T = detail::number_t<N>;
    return arange<T>(T(0), static_cast<T>(stop));
}
template <std::nullptr_t = nullptr, class A, class B>
    requires(detail::is_number<A> && detail::is_number<B>)
auto arange(const A& start, const B& stop) {
    using T = typename detail::sequence_type<detail::number_t<A>, detail::number_t<B>>::type;
    return arange<T>(detail::bound_as<T>(start), detail::bound_as<T>(stop));
}
template <std::nullptr_t = nullptr, class A, class B, class S>
    requires(detail::is_number<A> && detail::is_number<B> && detail::is_number<S>)
auto arange(const A& start, const B& stop, const S& step) {
    using T = typename detail::sequence_type<detail::number_t<A>, detail::number_t<B>, detail::number_t<S>>::type;
    return arange<T>(detail::bound_as<T>(start), detail::bound_as<T>(stop), detail::bound_as<T>(step));
}

template <std::nullptr_t = nullptr, class Never = void>
tensor<double, 1> arange(std::initializer_list<double>) {
    static_assert(always_false<Never>, "ricci: arange counts to a number: arange(3), arange(0, 10, 2)");
    return {};
}
template <class T = void, element A, element B, element S, class... More>
    requires(sizeof...(More) > 0 && !(device_tag<More> || ...))
auto arange(A, B, S, const More&...) {
    static_assert(always_false<A>, "ricci: arange takes a start, a stop and a step: arange(0, 10, 2)");
}

/// n values (50 if not told, as NumPy's) evenly spaced from start to stop, both included, or, with `endpoint` false,
/// stop left out: a period's points, say. Throws value_error for a negative n.
template <element T = double, device_tag Device = cpu_device>
    requires(is_inexact_v<T>)
tensor<T, 1, Device> linspace(std::type_identity_t<T> start, std::type_identity_t<T> stop, index_t n,
                              std::same_as<bool> auto endpoint, Device device = {}) {
    if (n < 0) detail::raise<value_error>({"[linspace] the number of values must not be negative: ", n});
    auto x = tensor<T, 1>::uninitialized({n});
    using W = compute_t<T>;
    const index_t steps = endpoint ? n - 1 : n;
    const W step = steps > 0 ? (static_cast<W>(stop) - static_cast<W>(start)) / static_cast<W>(steps) : W(0);
    detail::write_sequence<T>(x.data(), n, start, step);
    if (endpoint && n > 1) x.data()[n - 1] = stop;
    return x.to(device);
}
template <element T = double, device_tag Device = cpu_device>
    requires(is_inexact_v<T>)
tensor<T, 1, Device> linspace(std::type_identity_t<T> start, std::type_identity_t<T> stop, index_t n = 50,
                              Device device = {}) {
    return linspace<T>(start, stop, n, true, device);
}
/// Between floats they are floats, as arange's are: linspace(0.0f, 1.0f, 5).
template <std::nullptr_t = nullptr, std::same_as<float> T, class... Options>
auto linspace(T start, T stop, const Options&... options) -> decltype(linspace<T>(start, stop, options...)) {
    return linspace<T>(start, stop, options...);
}

/// n values whose logarithms are evenly spaced: base^start to base^stop, both included. Throws value_error for a
/// negative n.
template <element T = double, device_tag Device = cpu_device>
    requires(is_inexact_v<T> && !is_complex_v<T>)
tensor<T, 1, Device> logspace(double start, double stop, index_t n = 50, double base = 10, Device device = {}) {
    if (n < 0) detail::raise<value_error>({"[logspace] the number of values must not be negative: ", n});
    auto x = tensor<T, 1>::uninitialized({n});
    const auto exponents = linspace<double>(start, stop, n);
    for (index_t i = 0; i < n; ++i) x.data()[i] = static_cast<T>(std::pow(base, exponents.data()[i]));
    return x.to(device);
}
/// n values, each the same multiple of the one before it, from start to stop, both included exactly. Throws value_error
/// for a negative n, and unless both have the same sign and neither is 0.
template <element T = double, device_tag Device = cpu_device>
    requires(is_inexact_v<T> && !is_complex_v<T>)
tensor<T, 1, Device> geomspace(double start, double stop, index_t n = 50, Device device = {}) {
    if (n < 0) detail::raise<value_error>({"[geomspace] the number of values must not be negative: ", n});
    if (!(start > 0 ? stop > 0 : start < 0 && stop < 0))
        detail::raise<value_error>(
            {"[geomspace] from ", start, " to ", stop, ": both must have the same sign, and neither be 0"});
    auto x = tensor<T, 1>::uninitialized({n});
    const double ratio = stop / start;  // of ends that are far apart 0 or infinite
    const bool far = !(ratio > 0 && ratio <= std::numeric_limits<double>::max());
    const double logarithm = far ? std::log(std::abs(stop)) - std::log(std::abs(start)) : std::log(ratio);
    for (index_t i = 0; i < n; ++i) {  // from the end that is nearer, whose multiples do not overflow
        const bool first = 2 * i < n;
        const double steps = static_cast<double>(first ? i : i - (n - 1));
        const double multiple = i == 0 || i == n - 1 ? 1 : std::exp(logarithm * steps / static_cast<double>(n - 1));
        x.data()[i] = static_cast<T>((first ? start : stop) * multiple);
    }
    return x.to(device);
}

}  // namespace ricci
