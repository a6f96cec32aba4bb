// What tests of arrays compare against: plain loops over elements, arrays in every memory layout, what an exception
// says. Of the library it includes what works without transforms.
#pragma once
#include <ricci/cpu/executor.hpp>
#include <ricci/expr/assign.hpp>
#include <ricci/ops/compare.hpp>
#include <ricci/ops/contract.hpp>
#include <ricci/ops/create.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace reference {

/// Whether a test may take a sample of its cases: where other builds run all of them.
#if defined(RICCI_SAMPLE)
inline constexpr bool is_sample = true;
#else
inline constexpr bool is_sample = false;
#endif

using ricci::index_t;

/// Calls f(index) for every index of an array, the last axis fastest.
template <int R, class F>
void for_each_index(const ricci::shape<R>& extents, F f) {
    const index_t n = extents.count();
    ricci::shape<R> at;
    for (index_t i = 0; i < n; ++i) {
        f(static_cast<const ricci::shape<R>&>(at));
        for (int d = R - 1; d >= 0 && ++at[d] == extents[d]; --d) at[d] = 0;
    }
}

/// The element at an index, by the definition of strides.
template <class X>
auto& element(const X& x, const ricci::shape<X::rank>& at) {
    index_t offset = 0;
    for (int d = 0; d < X::rank; ++d) offset += at[d] * x.strides()[d];
    return x.data()[offset];
}

/// All elements in row-major order.
template <class T, int R>
std::vector<std::remove_const_t<T>> values(const ricci::tensor<T, R>& x) {
    std::vector<std::remove_const_t<T>> v;
    for_each_index(x.shape(), [&](const auto& at) { v.push_back(element(x, at)); });
    return v;
}
template <ricci::expression E>
    requires(!E::is_array)
auto values(const E& e) {
    return values(ricci::evaluate(e));
}

/// The ways in which an array's elements may lie in memory.
enum class layout { contiguous, permuted, reversed, strided, expanded };
inline constexpr layout layouts[] = {layout::contiguous, layout::permuted, layout::reversed, layout::strided, layout::expanded};
inline std::string name(layout l) {
    constexpr const char* names[] = {"contiguous", "permuted", "reversed", "strided", "expanded"};
    return names[static_cast<int>(l)];
}

/// An array of the layout whose elements are not set. Permuted: the axes lie in reverse order. Reversed: all strides
/// are negative. Strided: every other element of each axis. Expanded: every other axis (the first, third, ...) has
/// stride 0.
template <class T, int R>
ricci::tensor<T, R> arrange(layout l, const ricci::shape<R>& extents) {
    ricci::shape<R> room, strides;
    for (int d = 0; d < R; ++d) {
        room[d] = l == layout::strided ? 2 * extents[d] : extents[d];
        if (l == layout::expanded && d % 2 == 0) room[d] = extents[d] ? 1 : 0;
    }
    index_t step = 1;
    for (int i = 0; i < R; ++i) {
        const int d = l == layout::permuted ? i : R - 1 - i;
        strides[d] = room[d] == extents[d] ? step : l == layout::strided ? 2 * step : 0;
        step *= room[d];
    }
    const auto memory = ricci::tensor<T, R>::uninitialized(room);
    T* data = memory.data();
    if (l == layout::reversed && extents.count())
        for (int d = 0; d < R; ++d) {
            data += (extents[d] - 1) * strides[d];
            strides[d] = -strides[d];
        }
    return ricci::tensor<T, R>(memory.memory(), data, extents, strides);
}

/// An array of the layout with the elements value(0), value(1), ... in row-major order; where elements are repeated,
/// the last one stays.
template <class T, int R, class F>
ricci::tensor<T, R> make(layout l, const ricci::shape<R>& extents, F value) {
    const auto x = arrange<T>(l, extents);
    index_t i = 0;
    for_each_index(extents, [&](const auto& at) { element(x, at) = static_cast<T>(value(i++)); });
    return x;
}

/// A fixed sequence of numbers without pattern, in [0, 1).
struct noise {
    std::uint64_t state = 0x9E3779B97F4A7C15ull;
    double operator()() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<double>(state >> 11) * 0x1p-53;
    }
    double between(double low, double high) { return low + (high - low) * (*this)(); }
};

/// The text of the exception of type Error that f throws; what happened instead, when it does not.
template <class Error, class F>
std::string message(F f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    } catch (const std::exception& e) {
        return std::string("another exception: ") + e.what();
    }
    return "no exception";
}
inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Equal as values: NaN to NaN; with `signs`, zeros of one sign only.
template <class T>
bool same(const T& a, const T& b, bool signs = true) {
    if constexpr (std::is_floating_point_v<T>) {
        if (a != a || b != b) return a != a && b != b;
        return a == b && (!signs || std::signbit(a) == std::signbit(b));
    } else if constexpr (ricci::is_complex_v<T>) {
        return same(a.real(), b.real(), signs) && same(a.imag(), b.imag(), signs);
    } else {
        return a == b;
    }
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b, bool signs = true) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!same(T(a[i]), T(b[i]), signs)) return false;
    return true;
}

/// |a - b| in units of the last place of b; 0 for equal values and for two NaNs.
template <class T>
double ulps(T a, long double b) {
    if (same(static_cast<long double>(a), b, false)) return 0;
    const T nearest = static_cast<T>(b);
    if (same(a, nearest, false)) return 0.5;
    if (!(std::abs(a) < std::numeric_limits<T>::infinity()) || !(std::abs(b) < std::numeric_limits<long double>::infinity()) ||
        !(std::abs(nearest) < std::numeric_limits<T>::infinity()))
        return std::numeric_limits<double>::infinity();
    const T size = std::abs(nearest) > std::numeric_limits<T>::min() ? std::abs(nearest) : std::numeric_limits<T>::min();
    const long double unit = static_cast<long double>(size) - static_cast<long double>(std::nextafter(size, T(0)));
    return static_cast<double>(std::abs(static_cast<long double>(a) - b) / unit);
}

}  // namespace reference
