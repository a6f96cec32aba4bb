// Arguments under NumPy's keywords, as text, without their braces or left out, refused in a line.
#pragma once
#include "fft/options.hpp"
#include "operand_mistakes.hpp"

namespace ricci {
namespace detail {

/// Also nullptr, for None.
template <class A>
concept text_argument = std::is_convertible_v<const A&, const char*>;

/// For calls that take no options in braces: {} would be as good for these.
struct keywords {
    keyword n, times, k, bins, range, density, weights, minlength, left, right, side, period, mode, value, values, axis,
        dim, descending, largest, include_initial, ddof, correction, keepdims, keepdim, dtype;
};
/// As a first member: lists of numbers convert to no struct that begins with one.
struct never_listed {
    constexpr explicit never_listed(int) {}
};
struct correction_keyword {
    struct given {
        constexpr given(double) {}
    } correction;
};
struct ddof_keyword {
    correction_keyword::given ddof;
};
/// Not of {true}, which is a truth value.
struct svd_keywords {
    never_listed none = never_listed(0);
    keyword full_matrices, compute_uv;
};
struct triangle_keywords {
    never_listed none = never_listed(0);
    keyword lower, upper, left, trans, UPLO, unit_diagonal, unitriangular;
};
struct indexing_keyword {
    keyword indexing, sparse, copy;
};
struct frame_keywords {
    never_listed none = never_listed(0);
    keyword fs, window, nperseg, noverlap, nfft, n_fft, hop_length, win_length, hop, center;
};
struct linspace_keywords {
    keyword num, steps, endpoint, retstep, dtype;
};
struct weights_keyword {
    keyword p;
};

/// Of distributions.
struct first_keyword {
    template <class A>
    constexpr first_keyword(A) {}
};
struct size_keyword : keyword {
    using keyword::keyword;
    constexpr size_keyword(std::initializer_list<index_t>) {}
};
struct mean_keywords {
    never_listed none = never_listed(0);
    first_keyword mean;
    keyword stddev, std;
    size_keyword size;
};
struct loc_keywords {
    never_listed none = never_listed(0);
    first_keyword loc;
    keyword scale;
    size_keyword size;
};
struct low_keywords {
    never_listed none = never_listed(0);
    first_keyword low;
    keyword high;
    size_keyword size;
};

}  // namespace detail

#define RICCI_REFUSE(function, parameters, how)        \
    template <expression E, class A = E, class B = E>  \
    auto function parameters {                         \
        static_assert(always_false<E>, "ricci: " how); \
        return detail::refused_result();               \
    }
#define RICCI_REFUSE_KEYWORDS(function, how)                         \
    RICCI_REFUSE(function, (const E&, const detail::keywords&), how) \
    RICCI_REFUSE(function, (const E&, const A&, const detail::keywords&), how)
#define RICCI_REFUSE_TEXT(function, how)                        \
    template <class... A>                                       \
        requires(detail::text_argument<A> || ...)               \
    auto function(const A&...) {                                \
        static_assert(always_false<void(A...)>, "ricci: " how); \
        return detail::refused_result();                        \
    }
#define RICCI_REFUSE_TRUTH_AS_AXIS(function, how) RICCI_REFUSE(function, (const E&, std::same_as<bool> auto), how)

// Of two arguments alone: the third may be a range in braces.
RICCI_REFUSE(histogram, (const E&, const detail::keywords&),
             "histogram takes the bins, or their edges, and a range: histogram(x, 10, {0.0, 1.0})")
RICCI_REFUSE(histogram, (const E&, std::floating_point auto, const auto&...),
             "histogram takes a whole number of bins, then their range: histogram(x, 10, 0.0, 1.0)")
RICCI_REFUSE(histogram, (const E&, std::floating_point auto, const double (&)[2], const auto&...),
             "histogram takes a whole number of bins, then their range: histogram(x, 10, {0.0, 1.0})")
RICCI_REFUSE_KEYWORDS(diff, "diff takes how often, and the axis: diff(x, 1, 0)")
RICCI_REFUSE_KEYWORDS(cumsum, "cumsum takes an axis: cumsum(x, 0)")
RICCI_REFUSE_KEYWORDS(cumulative_sum, "cumulative_sum takes an axis: cumulative_sum(x, 0)")
RICCI_REFUSE_KEYWORDS(softmax, "softmax is along an axis, softmax(x, -1)")
RICCI_REFUSE_KEYWORDS(
    pad, "pad takes the margins, and a value or a mode: pad(x, 1, 0.5), pad(x, {{1, 2}}, pad_mode::reflect)")
RICCI_REFUSE_KEYWORDS(bincount, "bincount takes the numbers, weights if any, and the least length: bincount(k, 10)")
RICCI_REFUSE(bincount, (const E&, const detail::keywords&, std::integral auto),
             "bincount takes the numbers, weights if any, and the least length: bincount(k, 10)")
RICCI_REFUSE_KEYWORDS(topk, "topk takes how many, the axis, and whether the largest: topk(x, 3, -1, false)")
RICCI_REFUSE_KEYWORDS(searchsorted,
                      "searchsorted is told `true` for places behind equal elements: searchsorted(sorted, x, true)")
RICCI_REFUSE(interp, (const E&, const A&, const B&, const detail::keywords&),
             "interp takes what stands left and right of all places: interp(x, places, values, 0.0, 1.0)")
RICCI_REFUSE(interp, (const E&, const A&), "interp takes where, places and values: interp(x, places, values)")

RICCI_REFUSE_TEXT(where, "where selects numbers or elements of arrays: where(mask, a, b)")
RICCI_REFUSE_TEXT(pow, "powers are numbers or arrays: pow(x, 3)")
RICCI_REFUSE_TEXT(arange, "arange takes numbers, and the type before them: arange<float>(10)")
RICCI_REFUSE_TEXT(linspace, "linspace takes numbers, and the type before them: linspace<float>(0, 1, 11)")
RICCI_REFUSE_TEXT(meshgrid, "the order of a grid is no text: meshgrid(x, y, indexing::ij)")
template <expression A, expression B>
auto meshgrid(const A& a, const B& b, const detail::indexing_keyword&) {
    static_assert(always_false<A>, "ricci: the order of a grid has no name: meshgrid(x, y, indexing::ij)");
    return std::tuple(a, b);
}
template <expression A, expression B, expression C>
auto meshgrid(const A& a, const B& b, const C& c, const detail::indexing_keyword&) {
    static_assert(always_false<A>, "ricci: the order of a grid has no name: meshgrid(x, y, z, indexing::ij)");
    return std::tuple(a, b, c);
}
RICCI_REFUSE_TEXT(clip, "a bound is a number or an array, or `none`: clip(x, none, 1)")
RICCI_REFUSE_TEXT(gelu, "gelu's approximation by tanh has a name of its own: gelu_tanh(x)")
RICCI_REFUSE_TEXT(
    norm, "norm(x) is of all elements; others have orders: linalg::norm(x, 1), linalg::norm(x, matrix_order::nuclear)")
RICCI_REFUSE_TEXT(mse_loss, "a loss's reduction comes before its arguments: mse_loss<reduction::sum>(x, y)")
RICCI_REFUSE_TEXT(cross_entropy, "a loss's reduction comes before its arguments: cross_entropy<reduction::none>(x, k)")
template <element T = double, int R>
auto full(const extent (&)[R], const char*) {
    static_assert(always_false<T>, "ricci: arrays hold numbers, no text: full({2, 3}, 1.5)");
    return zeros<T>(shape<R>{});
}

RICCI_REFUSE(expand, (const E&, std::integral auto, std::integral auto...),
             "the extents stand in braces: expand(x, {3, 4})")
RICCI_REFUSE(broadcast_to, (const E&, std::integral auto, std::integral auto...),
             "the extents stand in braces: broadcast_to(x, {3, 4})")
RICCI_REFUSE(tile, (const E&, std::integral auto, std::integral auto, std::integral auto...),
             "the repetitions of each axis stand in braces: tile(x, {2, 3})")
template <expression E, class First, class... N>
auto reshape(const E& x, const std::tuple<First, N...>&) {
    static_assert(always_false<E>, "ricci: the extents stand in braces: reshape(x, {3, 4})");
    return x;
}
RICCI_REFUSE(roll, (const E&, const index_t (&)[2]), "a list of shifts has a list of axes: roll(x, {1, 2}, {0, 1})")

RICCI_REFUSE(flip, (const E&, std::integral auto, std::integral auto, std::integral auto...),
             "the axes stand in braces: flip(x, {0, 1})")
RICCI_REFUSE(vstack, (const E&, const expression auto&, const auto&...),
             "the arrays to join stand in braces: vstack({a, b})")
RICCI_REFUSE(hstack, (const E&, const expression auto&, const auto&...),
             "the arrays to join stand in braces: hstack({a, b})")
RICCI_REFUSE(moveaxis, (const E&), "moveaxis takes the axis and its place: moveaxis(x, 0, -1)")
RICCI_REFUSE(moveaxis, (const E&, std::integral auto), "moveaxis takes the axis and its place: moveaxis(x, 0, -1)")
template <scalar_value A, scalar_value B>
auto linspace(A, B, const detail::linspace_keywords&) {
    static_assert(always_false<A>,
                  "ricci: linspace takes how many, and whether the end is one: linspace(0, 1, 11, false)");
    return detail::refused_result();
}
template <expression E, class S, class... More>
    requires(E::rank > 0)
auto linspace(const E&, const S&, const More&...) {
    static_assert(always_false<E>,
                  "ricci: linspace is between numbers; between vectors: a + linspace(0, 1, 5)(all, newaxis) * (b - a)");
    return detail::refused_result();
}
template <scalar_value S, expression E, class... More>
    requires(E::rank > 0)
auto linspace(const S&, const E&, const More&...) {
    static_assert(always_false<E>,
                  "ricci: linspace is between numbers; between vectors: a + linspace(0, 1, 5)(all, newaxis) * (b - a)");
    return detail::refused_result();
}

RICCI_REFUSE(pow, (const E&), "pow takes the power: pow(x, 3); square(x) is pow(x, 2)")
RICCI_REFUSE(split, (const E&),
             "split takes into how many, or behind which positions: split(x, 3), split(x, {2, 5}, 1)")
RICCI_REFUSE(expand_dims, (const E&), "expand_dims takes the place of the new axis: expand_dims(x, 0)")
RICCI_REFUSE(polyval, (const E&), "polyval takes the coefficients, then where: polyval(coefficients, x)")
RICCI_REFUSE(swapaxes, (const E&), "swapaxes takes two axes, swapaxes(x, 0, 1); x.T() is the transpose of a matrix")

#define RICCI_REFUSE_AXIS_KEYWORD(function)                     \
    RICCI_REFUSE(function, (const E&, const detail::keywords&), \
                 "an axis has no name: " #function "(x, 0), " #function "(x, 0, keepdims)")
RICCI_REFUSE_AXIS_KEYWORD(sum)
RICCI_REFUSE_AXIS_KEYWORD(mean)
RICCI_REFUSE_AXIS_KEYWORD(prod)
RICCI_REFUSE_AXIS_KEYWORD(max)
RICCI_REFUSE_AXIS_KEYWORD(min)
RICCI_REFUSE_AXIS_KEYWORD(var)
RICCI_REFUSE_AXIS_KEYWORD(stddev)
RICCI_REFUSE_AXIS_KEYWORD(median)
RICCI_REFUSE_AXIS_KEYWORD(argmax)
RICCI_REFUSE_AXIS_KEYWORD(argmin)
RICCI_REFUSE_AXIS_KEYWORD(any)
RICCI_REFUSE_AXIS_KEYWORD(logsumexp)
#undef RICCI_REFUSE_AXIS_KEYWORD

RICCI_REFUSE_TRUTH_AS_AXIS(sum, "reduced axes are kept by `keepdims`: sum(x, keepdims)")
RICCI_REFUSE_TRUTH_AS_AXIS(mean, "reduced axes are kept by `keepdims`: mean(x, keepdims)")
RICCI_REFUSE_TRUTH_AS_AXIS(max, "reduced axes are kept by `keepdims`: max(x, keepdims)")
RICCI_REFUSE_TRUTH_AS_AXIS(min, "reduced axes are kept by `keepdims`: min(x, keepdims)")
RICCI_REFUSE_TRUTH_AS_AXIS(sort, "sort takes an axis, then whether to descend: sort(x, -1, true)")
RICCI_REFUSE_TRUTH_AS_AXIS(argsort, "argsort takes an axis, then whether to descend: argsort(x, -1, true)")
RICCI_REFUSE(topk, (const E&, index_t, std::same_as<bool> auto),
             "topk takes how many, the axis, and whether the largest: topk(x, 3, -1, false)")
RICCI_REFUSE(stddev, (const E&, int, const detail::correction_keyword&),
             "a correction comes after what is kept: stddev(x, 0, {}, 1)")
RICCI_REFUSE(stddev, (const E&, int, const detail::ddof_keyword&),
             "a correction comes after what is kept: stddev(x, 0, {}, 1)")
RICCI_REFUSE(var, (const E&, int, const detail::correction_keyword&),
             "a correction comes after what is kept: var(x, 0, {}, 1)")
RICCI_REFUSE(var, (const E&, int, const detail::ddof_keyword&),
             "a correction comes after what is kept: var(x, 0, {}, 1)")
template <expression E, operand... More>
auto map(const E& x, const More&...) {
    static_assert(always_false<E>, "ricci: the function comes first: map([](auto a) { return sin(a); }, x)");
    return x;
}
template <element T>
auto sum(std::initializer_list<T>) {
    return detail::refused_list<T>();
}
template <element T>
auto mean(std::initializer_list<T>) {
    return detail::refused_list<T>();
}
template <element T = double, int R>
auto eye(const extent (&)[R]) {
    static_assert(always_false<T>, "ricci: eye takes numbers of rows and columns: eye(3), eye(3, 4)");
    return eye<T>(1);
}

namespace linalg {
RICCI_REFUSE(svd, (const E&, const detail::svd_keywords&),
             "linalg::svd is told whether the matrices are full: svd(x, false); svdvals(x) has the values alone")
RICCI_REFUSE(solve_triangular, (const E&, const A&, const detail::triangle_keywords&),
             "linalg::solve_triangular is told whether a is upper, or lower: solve_triangular(a, b, true)")
RICCI_REFUSE(cholesky, (const E&, const detail::triangle_keywords&),
             "linalg::cholesky is told whether an upper factor is wanted: cholesky(a, true)")
RICCI_REFUSE(eigh, (const E&, const detail::triangle_keywords&),
             "linalg::eigh is told which triangle to read: eigh(a, linalg::triangle::upper)")
RICCI_REFUSE(eigh, (const E&, const char*),
             "linalg::eigh is told which triangle to read: eigh(a, linalg::triangle::upper)")
RICCI_REFUSE(qr, (const E&, const char*), "the mode of linalg::qr is no text: qr(a, linalg::qr_mode::complete)")
}  // namespace linalg

namespace fft {
#define RICCI_REFUSE_LENGTH(function)                           \
    RICCI_REFUSE(function, (const E&, index_t, const options&), \
                 "options of Fourier transforms stand together in braces: fft(x, {.n = 8, .axis = 0})")
RICCI_REFUSE_LENGTH(fft)
RICCI_REFUSE_LENGTH(ifft)
RICCI_REFUSE_LENGTH(rfft)
RICCI_REFUSE_LENGTH(irfft)
#undef RICCI_REFUSE_LENGTH
#define RICCI_REFUSE_BARE_LIST(function)                                                                      \
    template <expression E, std::integral I, int N>                                                           \
    auto function(const E&, const I(&)[N]) {                                                                  \
        static_assert(                                                                                        \
            always_false<E>,                                                                                  \
            "ricci: a list alone may be lengths or axes: fftn(x, {.s = {8, 8}}), fftn(x, {.axes = {0, 1}})"); \
        return detail::refused_result();                                                                      \
    }
RICCI_REFUSE_BARE_LIST(fftn)
RICCI_REFUSE_BARE_LIST(ifftn)
RICCI_REFUSE_BARE_LIST(rfftn)
RICCI_REFUSE_BARE_LIST(irfftn)
RICCI_REFUSE_BARE_LIST(fft2)
RICCI_REFUSE_BARE_LIST(ifft2)
RICCI_REFUSE_BARE_LIST(rfft2)
#undef RICCI_REFUSE_BARE_LIST
}  // namespace fft

namespace signal {
RICCI_REFUSE_TEXT(convolve, "what is kept is no text: signal::convolve(a, v, signal::same)")
RICCI_REFUSE_TEXT(correlate, "what is kept is no text: signal::correlate(a, v, signal::same)")
RICCI_REFUSE_TEXT(fft_convolve, "what is kept is no text: signal::fft_convolve(a, v, signal::same)")
RICCI_REFUSE(stft, (const E&, const detail::frame_keywords&),
             "signal::stft takes a window, or its length, then options: "
             "signal::stft(x, signal::hann(256, false), {.hop = 64})")
RICCI_REFUSE(lfilter, (const auto&, const auto&, const E&, int, const expression auto&),
             "the state comes before the axis: signal::lfilter(b, a, x, zi, axis)")
}  // namespace signal

namespace random {
template <class T = void, int R, class A, class... More>
auto integers(const extent (&)[R], const A&, const More&...) {
    static_assert(always_false<A>, "ricci: the bounds come before the shape: random::integers(0, 10, {3, 4})");
    return detail::refused_result();
}
#define RICCI_REFUSE_PARAMETERS(function, keywords)              \
    template <class T = void>                                    \
    auto function(const detail::keywords&) {                     \
        return detail::refused_order<T>();                       \
    }                                                            \
    template <class T = void, int R>                             \
    auto function(const detail::keywords&, const extent(&)[R]) { \
        return detail::refused_order<T>();                       \
    }
RICCI_REFUSE_PARAMETERS(normal, mean_keywords)
RICCI_REFUSE_PARAMETERS(normal, loc_keywords)
RICCI_REFUSE_PARAMETERS(uniform, low_keywords)
#undef RICCI_REFUSE_PARAMETERS
template <expression E, int R>
auto choice(const E& x, const extent (&)[R], const detail::weights_keyword&) {
    static_assert(always_false<E>, "ricci: choice takes weights behind the shape: random::choice(x, {3}, weights)");
    return x;
}
}  // namespace random

}  // namespace ricci
#undef RICCI_REFUSE
#undef RICCI_REFUSE_KEYWORDS
#undef RICCI_REFUSE_TEXT
#undef RICCI_REFUSE_TRUTH_AS_AXIS
