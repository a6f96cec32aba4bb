// What the Fourier transforms take: lengths, axes, normalization.
#pragma once
#include <initializer_list>

#include "../../core/optional_value.hpp"
#include "../../core/shape.hpp"

namespace ricci {
namespace detail {

inline constexpr int most_fft_axes = 16;

/// A braced list of numbers, or none: which is not the empty list.
template <class N>
struct short_list {
    N number[most_fft_axes] = {};
    int size = 0;
    bool given = false;

    constexpr short_list() = default;
    constexpr short_list(std::initializer_list<N> list) : size(static_cast<int>(list.size())), given(true) {
        if (size > most_fft_axes) raise<value_error>({"[fft] more axes than an array can have: ", size});
        int i = 0;
        for (const N n : list) number[i++] = n;
    }
    template <int R>
    constexpr short_list(const shape<R>& list) : size(R), given(true) {
        static_assert(R <= most_fft_axes);
        for (int i = 0; i < R; ++i) number[i] = list[i];
    }
    constexpr N operator[](int i) const { return number[i]; }
};
using optional_length = optional_value<index_t>;

/// An option under a name that others have for it.
struct misnamed_option {
    constexpr misnamed_option() = default;
    template <class A>
    constexpr misnamed_option(A) {
        refuse<A>();
    }
    template <class A>
    constexpr misnamed_option(std::initializer_list<A>) {
        refuse<A>();
    }

   private:
    template <class A>
    static constexpr void refuse() {
        static_assert(always_false<A>,
                      "ricci: the options of fft are .n, .axis and .norm, those of fft2 and fftn .s, .axes and .norm");
    }
};

}  // namespace detail

namespace fft {

/// Which direction is divided by the number of elements: the inverse one (backward), the forward one, or each by its
/// root (ortho).
enum class normalization { backward, ortho, forward };
inline constexpr normalization backward = normalization::backward, ortho = normalization::ortho,
                               forward = normalization::forward;

}  // namespace fft

namespace detail {

/// A normalization; text is refused.
class named_norm {
   public:
    constexpr named_norm(fft::normalization n) : norm_(n) {}
    template <class Character>
    constexpr named_norm(const Character*) : norm_() {
        static_assert(always_false<Character>, "ricci: norms are fft::ortho, fft::forward and fft::backward, no text");
    }
    constexpr operator fft::normalization() const { return norm_; }

   private:
    fft::normalization norm_;
};

}  // namespace detail

namespace fft {

/// Options of transforms along one axis: `n` is the length that the line is cut to, or filled up to with zeros (of
/// hfft and irfft: the length of the result); by default it is as long as it is.
struct options {
    detail::optional_length n = {};
    int axis = -1;
    detail::named_norm norm = backward;
    detail::misnamed_option axes = {}, dim = {}, length = {}, size = {}, s = {};
};
/// Options of transforms along several axes: `axes`, by default all (or, where `s` is given, as many of the last), and
/// their lengths `s` as options::n, of which -1 leaves an axis as long as it is.
struct options_nd {
    detail::short_list<index_t> s = {};
    detail::short_list<int> axes = {};
    detail::named_norm norm = backward;
    detail::misnamed_option axis = {}, dim = {}, n = {};
};
/// The same along two axes, by default the last two.
struct options_2d {
    detail::short_list<index_t> s = {};
    detail::short_list<int> axes = {-2, -1};
    detail::named_norm norm = backward;
    detail::misnamed_option axis = {}, dim = {}, n = {};
};

}  // namespace fft

namespace detail {

/// The options as NumPy has them, n, axis and norm.
template <std::integral N>
fft::options fft_options(N n, int axis = -1, fft::normalization norm = fft::backward) {
    return {.n = n, .axis = axis, .norm = norm};
}
template <class Never = void>
fft::options fft_options(...) {
    static_assert(
        always_false<Never>,
        "ricci: options of Fourier transforms are in braces, fft(x, {.n = 8, .axis = 0, .norm = fft::ortho}), "
        "or in this order, fft(x, 8, 0, fft::ortho)");
    return {};
}

}  // namespace detail
}  // namespace ricci
