// Extents and strides: fixed-rank arrays of index_t, their text, and the arithmetic that must not overflow.
#pragma once
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "config.hpp"
#include "error.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

namespace detail {
[[noreturn, gnu::cold]] void refuse_place(int place, int rank);
#if RICCI_ENGINE_BODIES
RICCI_NOINLINE RICCI_ENGINE void refuse_place(int place, int rank) {
    raise<index_error>({"[shape] axis ", place, " is out of range for rank ", rank});
}
#endif
}  // namespace detail

/// The extents (or, counted in elements, the strides) of an array of rank R. Rank 0 is a scalar: no extents, one
/// element.
template <int R>
struct shape {
    static_assert(R >= 0, "ricci: a rank is not negative");
    static constexpr int rank = R;
    index_t extent[R > 0 ? R : 1] = {};

    /// The one of axis i, negative ones counted from the end. Throws index_error when there is no such axis. (Of what
    /// compilers know to be in range, the axis of a loop for one, nothing of this is left.)
    RICCI_HD RICCI_INLINE constexpr index_t& operator[](int i) { return extent[place(i)]; }
    RICCI_HD RICCI_INLINE constexpr index_t operator[](int i) const { return extent[place(i)]; }
    constexpr index_t* begin() { return extent; }
    constexpr index_t* end() { return extent + R; }
    constexpr const index_t* begin() const { return extent; }
    constexpr const index_t* end() const { return extent + R; }
    static constexpr int size() { return R; }
    /// For `auto [rows, columns] = x.shape();`.
    template <std::size_t I>
    constexpr index_t get() const {
        return extent[I];
    }

    /// Number of elements: the product of the extents.
    constexpr index_t count() const {
        index_t n = 1;
        for (int i = 0; i < R; ++i) n *= extent[i];
        return n;
    }
    friend constexpr bool operator==(const shape& a, const shape& b) {
        for (int i = 0; i < R; ++i)
            if (a.extent[i] != b.extent[i]) return false;
        return true;
    }

   private:
    RICCI_HD RICCI_INLINE static constexpr int place(int i) {
        const int d = i < 0 ? i + R : i;
#if !defined(__CUDA_ARCH__)
        if (static_cast<unsigned>(d) >= static_cast<unsigned>(R)) [[unlikely]]
            detail::refuse_place(i, R);
#endif
        return d;
    }
};
/// Shapes of different ranks differ.
template <int R, int Q>
    requires(R != Q)
constexpr bool operator==(const shape<R>&, const shape<Q>&) {
    return false;
}
/// Against a std::vector or std::array of integers.
template <int R, class V>
    requires requires(const V& v) {
        requires std::is_integral_v<std::remove_cvref_t<decltype(*v.data())>>;
        requires std::is_same_v<decltype(v.size()), std::size_t>;
    }
constexpr bool operator==(const shape<R>& a, const V& b) {
    if (b.size() != static_cast<std::size_t>(R)) return false;
    for (int i = 0; i < R; ++i)
        if (a.extent[i] != static_cast<index_t>(b.data()[i])) return false;
    return true;
}
/// Against a std::tuple of integers, NumPy's x.shape == (2, 3).
template <int R, template <class...> class Tuple, class... N>
    requires(sizeof...(N) > 0 && (std::is_integral_v<N> && ...) && std::tuple_size<Tuple<N...>>::value == sizeof...(N))
constexpr bool operator==(const shape<R>& a, const Tuple<N...>& b) {
    if constexpr (sizeof...(N) != R) return false;
    else
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return ((a[int(I)] == static_cast<index_t>(get<I>(b))) && ...);
        }(std::make_index_sequence<R>());
}
template <class... N>
shape(N...) -> shape<int(sizeof...(N))>;

/// "(2, 3)", "(3,)" and "()", as NumPy prints shapes.
template <int R>
std::string to_string(const shape<R>& s) {
    return detail::shape_text(detail::extents_ref{s.extent, R});
}

namespace detail {
/// What an extent is given as: an integer, or a result of rank 0 that is one, max(k) + 1.
template <class I>
concept extent_value = std::is_integral_v<I> || requires {
    requires I::rank == 0 && std::is_integral_v<typename I::value_type>;
    requires !std::is_same_v<typename I::value_type, bool>;
};
}  // namespace detail

/// One extent in a braced list, from any integer type: zeros<float>({n, 3, v.size()}), zeros({max(k) + 1, 3}).
struct extent {
    index_t value;
    template <detail::extent_value I>
    constexpr extent(const I& i) : value(of(i)) {}

   private:
    template <class I>
    static constexpr index_t of(const I& i) {
        if constexpr (std::is_integral_v<I>) return static_cast<index_t>(i);
        else return static_cast<index_t>(static_cast<typename I::value_type>(i));
    }
};

/// What `{}` is as a braced list of extents, of which rank 0 has none: zeros<double>({}).
struct no_extents {};

namespace detail {

/// A shape that is copied number by number: one copied whole keeps all handles of an expression in memory (g++ 12).
template <int R>
struct scalar_shape : shape<R> {
    scalar_shape() = default;
    RICCI_HD RICCI_INLINE constexpr scalar_shape(const shape<R>& other) { assign(other); }
    RICCI_HD RICCI_INLINE constexpr scalar_shape(const scalar_shape& other) { assign(other); }
    RICCI_HD RICCI_INLINE constexpr scalar_shape& operator=(const scalar_shape& other) {
        assign(other);
        return *this;
    }

   private:
    RICCI_HD RICCI_INLINE constexpr void assign(const shape<R>& other) {
        for (int d = 0; d < R; ++d) this->extent[d] = other.extent[d];
    }
};

/// The extents of an array's handle: one that was moved from has no elements then.
template <int R>
struct handle_extents : scalar_shape<R> {
    handle_extents() = default;
    RICCI_HD RICCI_INLINE constexpr handle_extents(const shape<R>& other) : scalar_shape<R>(other) {}
    RICCI_HD RICCI_INLINE constexpr handle_extents(const handle_extents& other) : scalar_shape<R>(other) {}
    RICCI_HD RICCI_INLINE constexpr handle_extents(handle_extents&& other) noexcept : scalar_shape<R>(other) {
        other.empty();
    }
    RICCI_HD RICCI_INLINE constexpr handle_extents& operator=(const handle_extents& other) {
        scalar_shape<R>::operator=(other);
        return *this;
    }
    RICCI_HD RICCI_INLINE constexpr handle_extents& operator=(handle_extents&& other) noexcept {
        scalar_shape<R>::operator=(other);
        if (this != &other) other.empty();
        return *this;
    }

   private:
    RICCI_HD RICCI_INLINE constexpr void empty() {
        if constexpr (R > 0) this->extent[0] = 0;
    }
};

/// Strides of a row-major array, in elements.
template <int R>
constexpr shape<R> row_major(const shape<R>& extents) {
    shape<R> strides;
    index_t step = 1;
    for (int i = R - 1; i >= 0; --i) {
        strides[i] = step;
        step *= extents[i] > 0 ? extents[i] : 1;
    }
    return strides;
}

/// Throws unless every extent is non-negative and the array's size in bytes fits in index_t, also where an extent is 0:
/// then steps and products of the others never overflow.
template <int R>
constexpr void check_extents(const shape<R>& extents, std::size_t element_size, const char* what) {
    index_t total = static_cast<index_t>(element_size);
    for (int i = 0; i < R; ++i)
        if (extents[i] < 0) detail::raise<value_error>({"[", what, "] negative extent in shape ", extents});
    for (int i = 0; i < R; ++i) {
        const index_t n = extents[i] == 0 ? 1 : extents[i];
        const bool large = ((total | n) >> 31) != 0;  // a division costs more than the rest of a small allocation
        if (large && n > std::numeric_limits<index_t>::max() / total)
            detail::raise<value_error>({"[", what, "] the size of shape ", extents, " overflows"});
        total *= n;
    }
}

/// An integer as a position: an unsigned one that is too large for any array, std::string::npos say, is far, not the
/// last.
template <class I>
constexpr index_t as_position(I i) {
    if constexpr (std::is_unsigned_v<I> && sizeof(I) >= sizeof(index_t)) {
        constexpr auto most = std::numeric_limits<index_t>::max();
        return i > static_cast<I>(most) ? most : static_cast<index_t>(i);
    } else {
        return static_cast<index_t>(i);
    }
}

/// `axis` counted from the front, whichever end it was counted from; throws when it is out of range.
constexpr int normalize_axis(index_t axis, int rank, const char* what) {
    if (axis < -rank || axis >= rank)
        detail::raise<index_error>({"[", what, "] axis ", axis, " is out of range for rank ", rank});
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

/// All extents 1: the shape of what broadcasts to anything of its rank.
template <int R>
constexpr shape<R> unit_shape() {
    shape<R> s;
    for (int i = 0; i < R; ++i) s[i] = 1;
    return s;
}

/// Broadcasts `b` into `a` (aligned at the end, NumPy's rule); false, with `a` half done, when they do not fit.
template <int R, int Q>
RICCI_INLINE constexpr bool try_broadcast(shape<R>& a, const shape<Q>& b) {
    static_assert(Q <= R);
    for (int i = 0; i < Q; ++i) {
        index_t& n = a[R - Q + i];
        if (n == b[i]) [[likely]]
            continue;
        if (n == 1) n = b[i];
        else if (b[i] != 1) return false;
    }
    return true;
}
/// Says which of the shapes do not broadcast, and at which axis; shapes of rank -1 are left out.
[[noreturn, gnu::cold]] void refuse_broadcast(const extents_ref* shapes, int count);
#if RICCI_ENGINE_BODIES
RICCI_NOINLINE RICCI_ENGINE void refuse_broadcast(const extents_ref* shapes, int count) {
    int rank = 0;
    for (int i = 0; i < count; ++i) rank = shapes[i].rank > rank ? shapes[i].rank : rank;
    for (int axis = rank - 1; axis >= 0; --axis) {  // the last one that does not fit
        index_t seen = 1;
        for (int i = 0; i < count; ++i) {
            const int d = axis - (rank - shapes[i].rank);
            if (shapes[i].rank < 0 || d < 0 || shapes[i].extent[d] == 1) continue;
            if (seen != 1 && seen != shapes[i].extent[d])
                raise<shape_error>({"The size of tensor a (", seen, ") must match the size of tensor b (",
                                    shapes[i].extent[d], ") at non-singleton dimension ", axis, ": shapes ",
                                    text_part(shapes, count)});
            seen = shapes[i].extent[d];
        }
    }
    raise<shape_error>({"shapes do not broadcast: ", text_part(shapes, count)});
}
#endif
/// Broadcasts `b` into `a`; throws shape_error when they do not fit.
template <int R, int Q>
constexpr void broadcast_into(shape<R>& a, const shape<Q>& b) {
    const shape<R> before = a;
    if (try_broadcast(a, b)) return;
    const extents_ref shapes[] = {{before.extent, R}, {b.extent, Q}};
    refuse_broadcast(shapes, 2);
}

/// A braced list of integers as a shape.
template <int R>
constexpr shape<R> to_shape(const ricci::extent (&extents)[R]) {
    shape<R> s;
    for (int i = 0; i < R; ++i) s[i] = extents[i].value;
    return s;
}

/// `extents` with unit axes in front, up to rank R.
template <int R, int Q>
constexpr shape<R> pad_front(const shape<Q>& extents) {
    static_assert(Q <= R);
    shape<R> padded;
    for (int i = 0; i < R; ++i) padded[i] = i < R - Q ? 1 : extents[i - (R - Q)];
    return padded;
}
/// `extents` behind one more axis.
template <int R>
constexpr shape<R + 1> prefixed(index_t first, const shape<R>& extents) {
    shape<R + 1> s;
    s[0] = first;
    for (int i = 0; i < R; ++i) s[i + 1] = extents[i];
    return s;
}

}  // namespace detail
}  // namespace ricci

template <int R>
struct std::tuple_size<ricci::shape<R>> : std::integral_constant<std::size_t, R> {};
template <std::size_t I, int R>
struct std::tuple_element<I, ricci::shape<R>> {
    using type = ricci::index_t;
};
RICCI_BOTH_SIDES_END
