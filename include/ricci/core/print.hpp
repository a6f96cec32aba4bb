// Text of tensors as NumPy 2.4 prints arrays: to_string and operator<<. After numpy/core/arrayprint.py.
#pragma once
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <iosfwd>
#include <string>
#include <tuple>
#include <vector>

#include "host_value.hpp"

RICCI_CONTROL_BEGIN
namespace ricci {
namespace detail {

// NumPy's default print options.
inline constexpr index_t print_threshold = 1000, print_edge = 3;
inline constexpr std::size_t print_width = 75;
inline constexpr int print_precision = 8;

/// How a stream is told to write numbers: std::setprecision limits the fractional digits, as NumPy's option does;
/// std::fixed and std::scientific write that many in that notation.
struct print_style {
    int digits = print_precision;
    bool limits = false;           // also numbers on their own, of which all digits are written else
    std::chars_format notation{};  // none: what NumPy finds best
    bool has_notation() const { return notation != std::chars_format{}; }
};

// By their bits: under -ffast-math comparisons tell neither, and the linker may take another unit's copy of what is
// inline here.
inline bool is_nan(double x) { return std::bit_cast<std::uint64_t>(x) << 1 > 0xffe0000000000000; }
inline bool is_infinite(double x) { return std::bit_cast<std::uint64_t>(x) << 1 == 0xffe0000000000000; }

/// How exact the printed numbers are: every one is a double, which decides what the shortest unique text is.
enum class precision { brain, half, single, twofold };
template <class T>
inline constexpr precision precision_of = std::is_same_v<T, bfloat16>  ? precision::brain
                                          : std::is_same_v<T, float16> ? precision::half
                                          : std::is_same_v<T, float>   ? precision::single
                                                                       : precision::twofold;
/// From where on numbers are printed with exponents: numpy.finfo's decimal digits of float16 and float32 say so. NumPy
/// knows no bfloat16, whose numbers are printed as double ones are.
inline double exponents_from(precision p, double otherwise) {
    return p == precision::single ? 1e6 : p == precision::half ? 1e3 : otherwise;
}
/// x as a number of that precision.
inline double to_precision(double x, precision p) {
    return p == precision::twofold  ? x
           : p == precision::single ? static_cast<double>(static_cast<float>(x))
           : p == precision::half   ? static_cast<double>(float16(x))
                                    : static_cast<double>(bfloat16(x));
}

/// A number as decimal text.
struct decimal_writer {
    precision exactness = precision::twofold;

    std::string shortest(double x, std::chars_format format) const {
        char text[400];
        if (exactness < precision::single) return shortest_of_16_bits(x, format);
        const auto end = exactness == precision::single
                             ? std::to_chars(text, text + sizeof text, static_cast<float>(x), format)
                             : std::to_chars(text, text + sizeof text, x, format);
        return std::string(text, end.ptr);
    }
    /// The fewest digits that are read back as x; the standard library knows these of longer types only.
    std::string shortest_of_16_bits(double x, std::chars_format format) const {
        for (int digits = 0;; ++digits) {
            const std::string nearest = rounded(x, std::chars_format::scientific, digits);
            const int exponent = std::stoi(nearest.substr(nearest.find('e') + 1));
            // below a power of two neighbours are closer: the nearest may be too far where the one above is not
            const double half_unit = std::copysign(0.5 * std::pow(10, exponent - digits), x);
            for (const std::string& text : {nearest, rounded(x + half_unit, std::chars_format::scientific, digits)}) {
                const double back = std::copysign(read(text, digits), x);
                if (to_precision(back, exactness) != x) continue;
                if (format == std::chars_format::scientific) return text;
                char fixed[400];
                return std::string(fixed, std::to_chars(fixed, fixed + sizeof fixed, back, format).ptr);
            }
        }
    }
    /// The size of what `rounded` wrote of a number of 16 bits. libc++ before 20 has no from_chars for it; with so few
    /// digits the product or quotient is rounded as rightly up to powers of 22, beyond which no number is written
    /// without an exponent.
    static double read(const std::string& text, int digits) {
        const std::size_t first = text[0] == '-', e = text.find('e');
        const std::string point_free =
            text.substr(first, 1) + (digits > 0 ? text.substr(first + 2, e - first - 2) : "");
        const int power = std::stoi(text.substr(e + 1)) - digits;
        const double number = std::stoi(point_free);
        double scale = 1;  // no std::pow: -ffast-math makes a product with an inexact 10^-power of the quotient
        for (int i = std::abs(power); i > 0; --i) scale *= 10;
        return power < 0 ? number / scale : number * scale;
    }
    /// A whole number with its unique digits first and zeros behind them.
    std::string whole(double x) const {
        std::string digits = shortest(x, std::chars_format::scientific);
        const std::size_t e = digits.find('e'), places = static_cast<std::size_t>(std::stoi(digits.substr(e + 1))) + 1;
        digits.resize(e);
        if (const std::size_t point = digits.find('.'); point != std::string::npos) digits.erase(point, 1);
        digits.resize(places + (x < 0), '0');
        return digits;
    }
    static std::string rounded(double x, std::chars_format format, int digits) {
        std::string text(static_cast<std::size_t>(digits) + 400, '\0');  // 309 places before the point
        text.resize(static_cast<std::size_t>(
            std::to_chars(text.data(), text.data() + text.size(), x, format, digits).ptr - text.data()));
        return text;
    }
};

/// Digits before and after the point, and the exponent with its sign; the text of a number in parts.
struct number_parts {
    std::string whole, fraction, exponent;

    explicit number_parts(const std::string& text) {
        const std::size_t e = text.find('e'), mantissa = e == std::string::npos ? text.size() : e,
                          point = text.find('.');
        whole = text.substr(0, point < mantissa ? point : mantissa);
        if (point < mantissa) fraction = text.substr(point + 1, mantissa - point - 1);
        if (e != std::string::npos) exponent = text.substr(e + 1);
    }
    void trim() {
        while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
    }
};

/// The shortest unique text, cut (correctly rounded, zeros trimmed) after so many fractional digits.
inline number_parts limited_parts(decimal_writer writer, double x, std::chars_format format, int digits) {
    number_parts parts(writer.shortest(x, format));
    if (parts.fraction.size() > static_cast<std::size_t>(digits)) {
        parts = number_parts(writer.rounded(x, format, digits));
        parts.trim();
    }
    return parts;
}

/// How all numbers of an array are printed: FloatingFormat of NumPy, made from all numbers that will be shown.
class float_format {
    decimal_writer writer_;
    bool plus_, scientific_ = false;
    int digits_;
    std::size_t left_ = 0, right_ = 0, fraction_ = 0, exponent_ = 0;

    std::string signed_whole(const std::string& whole) const { return plus_ && whole[0] != '-' ? '+' + whole : whole; }
    std::string padded(const std::string& number, std::size_t width) const {
        return std::string(width > number.size() ? width - number.size() : 0, ' ') + number;
    }
    bool needs_exponent(const std::vector<double>& values) const {
        double most = 0, least = INFINITY;
        for (const double x : values) {
            const double a = std::fabs(x);
            if (a == 0 || is_nan(a) || is_infinite(a)) continue;
            if (a > most) most = a;
            if (a < least) least = a;
        }
        if (most == 0) return false;
        const double ratio = to_precision(most / least, writer_.exactness);
        return most >= exponents_from(writer_.exactness, 1e8) || least < to_precision(0.0001, writer_.exactness) ||
               ratio > 1000;
    }

   public:
    float_format(const std::vector<double>& values, precision exactness, bool plus, int digits)
        : writer_{exactness}, plus_(plus), digits_(digits) {
        scientific_ = needs_exponent(values);
        bool any_finite = false, any_nan = false, any_infinite = false, any_negative_infinite = false;
        for (const double x : values) {
            if (is_nan(x) || is_infinite(x)) {
                any_nan = any_nan || is_nan(x);
                any_infinite = any_infinite || !is_nan(x);
                any_negative_infinite = any_negative_infinite || x < 0;
                continue;
            }
            any_finite = true;
            const number_parts p = limited_parts(
                writer_, x, scientific_ ? std::chars_format::scientific : std::chars_format::fixed, digits_);
            left_ = std::max(left_, signed_whole(p.whole).size());
            fraction_ = std::max(fraction_, p.fraction.size());
            if (scientific_) exponent_ = std::max(exponent_, p.exponent.size() - 1);
        }
        right_ = scientific_ && any_finite ? exponent_ + 2 + fraction_ : fraction_;
        if (!any_nan && !any_infinite) return;
        const std::size_t inf =
            3 + (plus_ || any_negative_infinite);  // NumPy makes room for both words when there is either
        if (left_ + right_ + 1 < inf) left_ = inf - right_ - 1;
    }

    std::string operator()(double x) const {
        if (is_nan(x)) return padded(plus_ ? "+nan" : "nan", left_ + right_ + 1);
        if (is_infinite(x)) return padded(x < 0 ? "-inf" : plus_ ? "+inf" : "inf", left_ + right_ + 1);
        if (scientific_) {
            number_parts p = limited_parts(writer_, x, std::chars_format::scientific, digits_);
            if (p.fraction.size() < fraction_)
                p = number_parts(writer_.rounded(x, std::chars_format::scientific, static_cast<int>(fraction_)));
            const std::string zeros(exponent_ + 1 - p.exponent.size(), '0');
            return padded(signed_whole(p.whole), left_) + "." + p.fraction + "e" + p.exponent[0] + zeros +
                   p.exponent.substr(1);
        }
        const number_parts p = limited_parts(writer_, x, std::chars_format::fixed, digits_);
        return padded(signed_whole(p.whole), left_) + "." + p.fraction + std::string(right_ - p.fraction.size(), ' ');
    }
};

/// A number on its own, as Python prints it: shortest unique digits, an exponent below 1e-4 and from 1e16 on (1e6 in
/// float, 1e3 in float16). `point` says whether a whole number gets a ".0".
inline std::string scalar_text(double x, precision exactness, bool point) {
    if (is_nan(x)) return "nan";
    if (is_infinite(x)) return x < 0 ? "-inf" : "inf";
    const decimal_writer writer{exactness};
    const double a = std::fabs(x);
    if (a != 0 && (a < 1e-4 || a >= exponents_from(exactness, 1e16)))
        return writer.shortest(x, std::chars_format::scientific);
    std::string text = a >= (exactness == precision::twofold ? 0x1p53 : 0x1p24)
                           ? writer.whole(x)
                           : writer.shortest(x, std::chars_format::fixed);
    if (point && text.find('.') == std::string::npos) text += ".0";
    return text;
}
inline std::string complex_text(double re, double im, precision exactness) {
    const std::string imaginary = scalar_text(im, exactness, false) + 'j';
    if (std::bit_cast<std::uint64_t>(re) == 0) return imaginary;  // not -0
    std::string text(1, '(');
    text += scalar_text(re, exactness, false);
    if (is_nan(im) || !std::signbit(im)) text += '+';
    text += imaginary;
    return text + ')';
}

/// A real or complex number in a notation that was chosen.
template <class T>
std::string text_in_notation(const T& x, const print_style& style, bool plus = false) {
    if constexpr (is_complex_v<T>) {
        return text_in_notation(x.real(), style) + text_in_notation(x.imag(), style, true) + 'j';
    } else {
        const auto wide = static_cast<double>(x);
        const std::string text = is_nan(wide)        ? "nan"
                                 : is_infinite(wide) ? (wide < 0 ? "-inf" : "inf")
                                                     : decimal_writer::rounded(wide, style.notation, style.digits);
        return plus && text[0] != '-' ? '+' + text : text;
    }
}

/// Sets out words (row-major, extents `shown`, of an array of extents `whole`) in nested brackets: _formatArray of
/// NumPy.
class array_layout {
    const std::vector<std::string>& words_;
    const index_t *whole_, *shown_;
    int rank_;
    std::size_t next_ = 0;

    // Adds a word to the line; one that does not fit begins a new line, unless that would not help.
    static void extend(std::string& text, std::string& line, const std::string& word, std::size_t width,
                       const std::string& indent) {
        if (line.size() + word.size() > width && line.size() > indent.size()) {
            text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
            line = indent;
        }
        line += word;
    }
    std::string row(index_t count, index_t gap, const std::string& indent, std::size_t width) {
        std::string text, line = indent;
        for (index_t i = 0; i < count; ++i) {
            if (i == gap) {
                extend(text, line, "...", width - 1, indent);
                line += ' ';
            }
            extend(text, line, words_[next_++], width - 1, indent);
            if (i + 1 < count) line += ' ';
        }
        return text + line;
    }
    std::string block(int axis, const std::string& indent, std::size_t width) {
        const index_t count = shown_[axis], gap = count < whole_[axis] ? print_edge : -1;
        std::string text;
        if (axis + 1 == rank_) text = row(count, gap, indent, width);
        else
            for (index_t i = 0; i < count; ++i) {
                const std::string separator(static_cast<std::size_t>(rank_ - axis - 1), '\n');
                if (i == gap) text += indent + "..." + separator;
                text += indent + block(axis + 1, indent + " ", width - 1);
                if (i + 1 < count) text += separator;
            }
        text.replace(0, indent.size(), 1, '[');
        return text + ']';
    }

   public:
    array_layout(const std::vector<std::string>& words, const index_t* whole, const index_t* shown, int rank)
        : words_(words), whole_(whole), shown_(shown), rank_(rank) {}
    std::string text() { return block(0, " ", print_width); }
};

/// Blanks before those that are shorter than others.
inline void align_at_right(std::vector<std::string>& words) {
    std::size_t width = 0;
    for (const std::string& w : words) width = std::max(width, w.size());
    for (std::string& w : words) w.insert(0, width - w.size(), ' ');
}
/// Words for the elements of an array, all of one width.
template <class T>
std::vector<std::string> element_words(const std::vector<T>& values, const print_style& style) {
    std::vector<std::string> words;
    words.reserve(values.size());
    if constexpr (is_inexact_v<T>) {
        if (style.has_notation()) {
            for (const T& x : values) words.push_back(text_in_notation(x, style));
            align_at_right(words);
            return words;
        }
    }
    if constexpr (is_complex_v<T>) {
        std::vector<double> re, im;
        for (const T& z : values) re.push_back(z.real()), im.push_back(z.imag());
        const float_format real(re, precision_of<real_t<T>>, false, style.digits),
            imaginary(im, precision_of<real_t<T>>, true, style.digits);
        for (std::size_t i = 0; i < re.size(); ++i) {
            std::string text = imaginary(im[i]);
            text.insert(text.find_last_not_of(' ') + 1, 1, 'j');
            words.push_back(real(re[i]) + text);
        }
    } else if constexpr (is_real_floating_v<T>) {
        const std::vector<double> numbers(values.begin(), values.end());
        const float_format format(numbers, precision_of<T>, false, style.digits);
        for (const double x : numbers) words.push_back(format(x));
    } else {
        for (const T x : values) {
            if constexpr (std::is_same_v<T, bool>) words.push_back(x ? " True" : "False");
            else words.push_back(std::to_string(x));
        }
        align_at_right(words);
    }
    return words;
}

template <class T>
std::string element_text(const T& x, const print_style& style) {
    if constexpr (is_inexact_v<T>) {
        if (style.has_notation()) return text_in_notation(x, style);
        if (style.limits) return text_in_notation(x, {style.digits, true, std::chars_format::general});
    }
    if constexpr (is_complex_v<T>) return complex_text(x.real(), x.imag(), precision_of<real_t<T>>);
    else if constexpr (is_real_floating_v<T>) return scalar_text(static_cast<double>(x), precision_of<T>, true);
    else if constexpr (std::is_same_v<T, bool>) return x ? "True" : "False";
    else return std::to_string(x);
}

/// The text of an array of at least one axis, whose shown elements `words_of` makes words of one width of.
template <class T, class Words>
std::string array_text(const T* data, const index_t* extents, const index_t* strides, int rank, const Words& words_of) {
    index_t count = 1;
    for (int i = 0; i < rank; ++i) count *= extents[i];
    if (count == 0) return "[]";
    std::vector<index_t> shown(extents, extents + rank), at(static_cast<std::size_t>(rank), 0);
    if (count > print_threshold)
        for (index_t& n : shown) n = n > 2 * print_edge ? 2 * print_edge : n;

    std::vector<T> values;
    for (int axis = 0; axis >= 0;) {
        index_t offset = 0;
        for (int i = 0; i < rank; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const bool tail = shown[k] < extents[i] && at[k] >= print_edge;
            offset += (at[k] + (tail ? extents[i] - shown[k] : 0)) * strides[i];
        }
        values.push_back(data[offset]);
        for (axis = rank - 1; axis >= 0; --axis) {
            const auto k = static_cast<std::size_t>(axis);
            if (++at[k] < shown[k]) break;
            at[k] = 0;
        }
    }
    const std::vector<std::string> words = words_of(values);
    return array_layout(words, extents, shown.data(), rank).text();
}
template <class T>
std::string array_text(const T* data, const index_t* extents, const index_t* strides, int rank,
                       const print_style& style) {
    if (rank == 0) return element_text(*data, style);
    const auto words_of = [&](const std::vector<T>& values) { return element_words(values, style); };
    return array_text(data, extents, strides, rank, words_of);
}
#if defined(RICCI_COMPILED_TEMPLATE)
RICCI_COMPILED_TEMPLATE std::string array_text(const float*, const index_t*, const index_t*, int, const print_style&);
RICCI_COMPILED_TEMPLATE std::string array_text(const double*, const index_t*, const index_t*, int, const print_style&);
RICCI_COMPILED_TEMPLATE std::string array_text(const std::int64_t*, const index_t*, const index_t*, int,
                                               const print_style&);
#endif

/// Of what is under a transform the text of what it wraps.
template <expression E>
std::string styled_text(const E& e, const print_style& style) {
    if constexpr (requires { e.inner(); }) {
        return styled_text(e.inner(), style);
    } else if constexpr (requires { evaluate(e).inner(); }) {
        return styled_text(evaluate(e), style);
    } else {
        const auto host = host_value(e);
        return array_text(host.data(), host.shape().begin(), host.strides().begin(), rank_v<E>, style);
    }
}
template <class Stream>
print_style style_of(const Stream& out) {
    print_style style;
    if (out.precision() >= 0 && out.precision() != 6)  // 6 is what streams begin with
        style = {static_cast<int>(out.precision()), true};
    const auto notation = out.flags() & Stream::floatfield;
    if (notation == Stream::fixed) style.notation = std::chars_format::fixed;
    if (notation == Stream::scientific) style.notation = std::chars_format::scientific;
    if (style.has_notation()) style.digits = out.precision() < 0 ? 6 : static_cast<int>(out.precision());
    return style;
}

}  // namespace detail

/// The text of an array as NumPy's str() gives it with its default options: eight fractional digits at most, columns
/// aligned, lines of 75 characters, `...` in place of the middle of more than 1000 elements. Rank 0 prints as a number.
/// Of what is under a transform, a variable too, the value; under vmap that of the whole batch.
template <expression E>
std::string to_string(const E& e) {
    return detail::styled_text(e, {});
}

/// Writes to_string(e). Where the stream was told how to write numbers, so: std::setprecision(3) leaves three
/// fractional digits at most, as NumPy's option `precision` does (of a number on its own, rank 0, three digits in all);
/// with std::fixed and std::scientific there are that many. A precision of 6, which streams begin with, counts with
/// these alone.
template <class Traits, expression E>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const E& e) {
    return out << detail::styled_text(e, detail::style_of(out));
}
namespace detail {
template <class T>
struct is_printed_tuple : std::false_type {};
template <class T>
concept printed_part = expression<T> || std::is_arithmetic_v<T> || is_printed_tuple<T>::value;
template <class T>
concept printed_array = expression<T> || is_printed_tuple<T>::value;
template <class... T>
struct is_printed_tuple<std::tuple<T...>> : std::bool_constant<(printed_part<T> && ...) && (printed_array<T> || ...)> {
};
template <class T>
struct is_printed_tuple<std::vector<T>> : std::bool_constant<printed_array<T>> {};
template <class T, std::size_t N>
struct is_printed_tuple<std::array<T, N>> : std::bool_constant<printed_array<T>> {};

template <class Out, class List>
Out& write_list(Out& out, const List& list) {
    const char* before = "";
    out << '[';
    for (const auto& part : list) {
        out << before << part;
        before = ", ";
    }
    return out << ']';
}
}  // namespace detail

/// Writes "(0.5, [1. 2.])": the results of value_and_grad, of several gradients and the like, as Python prints tuples.
template <class Traits, class... T>
    requires(detail::is_printed_tuple<std::tuple<T...>>::value)
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const std::tuple<T...>& t) {
    std::apply(
        [&](const auto&... part) {
            const char* before = "(";
            ((out << before << part, before = ", "), ...);
        },
        t);
    return out << (sizeof...(T) == 1 ? ",)" : ")");
}
/// Writes "[[1. 2.], [3.]]": what split and unstack give, as Python prints lists.
template <class Traits, detail::printed_array T>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const std::vector<T>& list) {
    return detail::write_list(out, list);
}
/// The same of as many as the type says: split<2>, the edges of histogramdd.
template <class Traits, detail::printed_array T, std::size_t N>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const std::array<T, N>& list) {
    return detail::write_list(out, list);
}
/// Writes "(2, 3)".
template <class Traits, int R>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const shape<R>& s) {
    return out << to_string(s);
}

}  // namespace ricci
RICCI_CONTROL_END
