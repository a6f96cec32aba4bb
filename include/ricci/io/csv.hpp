// Text files of numbers: load_csv, save_csv.
#pragma once
#include <algorithm>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "../core/optional_value.hpp"
#include "../core/refused.hpp"
#include "stored_array.hpp"

namespace ricci {

/// How load_csv reads.
struct csv_options {
    char delimiter = ',';               // ' ': any number of spaces and tabs
    index_t skip_rows = 0;              // lines to leave out at the start, whatever is in them
    std::vector<index_t> columns = {};  // which, in this order, negative ones counted from the end; none: all
    char comment = '#';                 // from here to the end of the line nothing counts; '\0': nothing does so
    detail::optional_value<double> missing = {};  // what an empty field, NA or null stands for; nothing: it is an error
};
/// How save_csv writes.
struct csv_format {
    char delimiter = ',';
    std::string header = {};  // the first line, as it is; none if empty
};

namespace detail {

/// Without the spaces and tabs at its ends; tabs that separate fields stay.
inline std::string_view trimmed(std::string_view s, char delimiter = ',') {
    const auto blank = [&](char c) { return c == ' ' || (c == '\t' && delimiter != '\t'); };
    while (!s.empty() && blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && blank(s.back())) s.remove_suffix(1);
    return s;
}
inline void check_delimiter(const char* op, char c) {
    if (c == '"' || c == '\n' || c == '\r' || c == '\0' || c == '.' || (c >= '0' && c <= '9'))
        raise<value_error>({"[", op, "] the character of code ", static_cast<int>(c), " cannot be the delimiter"});
}
/// Throws value_error unless the elements can be what a missing one stands for.
template <class T>
void check_missing(const csv_options& options) {
    if constexpr (std::is_integral_v<T>) {
        if (!options.missing) return;
        const double x = *options.missing;
        if (x != std::floor(x) || is_below_all<T>(x) || is_above_all<T>(x))
            raise<value_error>({"[load_csv] the option .missing, ", x, ", is no ", dtype_name<T>()});
    }
}
/// Takes the first line off a text: its end is \n, \r\n or \r.
inline std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find_first_of("\r\n");
    const std::string_view line = text.substr(0, end);
    if (end == std::string_view::npos) text = {};
    else text.remove_prefix(end + (text.substr(end, 2) == "\r\n" ? 2 : 1));
    return line;
}
/// Takes the first field off a line (and what separates it from the next, when `more` is true then). A field in double
/// quotes may hold delimiters; its quotes are taken off.
inline std::string_view take_field(std::string_view& line, char delimiter, bool& more) {
    const bool blank = delimiter == ' ';
    std::string_view rest = trimmed(line, delimiter);
    if (rest.starts_with('"')) {
        std::size_t end = rest.find('"', 1);
        while (end != std::string_view::npos && rest.substr(end, 2) == "\"\"") end = rest.find('"', end + 2);
        const std::string_view field = rest.substr(1, end == std::string_view::npos ? end : end - 1);
        if (end != std::string_view::npos) {
            const std::string_view after = rest.substr(end + 1), next = trimmed(after, delimiter);
            more = !next.empty() && (blank ? next.size() < after.size() : next.front() == delimiter);
            if (more || next.empty()) {
                line = more ? next.substr(blank ? 0 : 1) : std::string_view();
                return field;
            }
        }
    }
    if (blank) line = rest;
    const std::size_t end = blank ? line.find_first_of(" \t") : line.find(delimiter);
    const std::string_view field = trimmed(line.substr(0, end), delimiter);
    more = end != std::string_view::npos;
    line.remove_prefix(more ? end + 1 : line.size());
    if (blank) {
        line = trimmed(line);
        more = !line.empty();
    }
    return field;
}

/// The lines that hold numbers, one by one, with their numbers in the file.
struct csv_lines {
    std::string_view rest;
    const csv_options& options;
    index_t number = 0;
    std::string_view header = {};  // the last line left out at the start

    /// Without the comment at its end. "#N/A" begins none where it is a word for a missing number.
    std::string_view without_comment(std::string_view line) const {
        if (!options.comment) return line;
        std::size_t at = line.find(options.comment);
        while (at != std::string_view::npos && options.missing && line.substr(at).starts_with("#N/A"))
            at = line.find(options.comment, at + 1);
        return line.substr(0, at);
    }
    bool next(std::string_view& line) {
        while (!rest.empty()) {
            line = take_line(rest);
            if (number++ < options.skip_rows) {
                header = line;
                continue;
            }
            line = trimmed(without_comment(line), options.delimiter);
            if (!line.empty()) return true;
        }
        return false;
    }
};

/// Whether a number that is out of range is too small, by the power of ten of its first digit.
inline bool is_tiny(std::string_view text) {
    const std::size_t e = std::min(text.find_first_of("eE"), text.size()), point = std::min(text.find('.'), e);
    long power = static_cast<long>(point) - static_cast<long>(text.find_first_of("123456789")), exponent = 0;
    for (const char c : text.substr(std::min(e + 1, text.size())))
        if (c >= '0' && c <= '9' && exponent < 1'000'000'000) exponent = exponent * 10 + (c - '0');
    return power + (text.substr(e).find('-') == std::string_view::npos ? exponent : -exponent) <= 0;
}
#if defined(__cpp_lib_to_chars) || !defined(_LIBCPP_VERSION)
template <class T>
bool convert_real(std::string_view text, T& value, bool& out_of_range) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    out_of_range = error == std::errc::result_out_of_range;
    return end == text.data() + text.size() && error != std::errc::invalid_argument;
}
#else
// libc++ before 20 reads no floating-point numbers this way: as C does, with the decimal point of the locale of the
// day.
template <class T>
bool convert_real(std::string_view text, T& value, bool& out_of_range) {
    out_of_range = false;
    const std::string_view word = text.substr(text.starts_with('-'));
    const bool finite = !word.empty() && word.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
                        word.find_first_of("0123456789.") == 0;
    std::string number(text);
    std::transform(number.begin(), number.end(), number.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    if (!finite && !number.ends_with("inf") && !number.ends_with("nan") && !number.ends_with("infinity")) return false;
    if (!finite && number.find_first_not_of("-inftya") != std::string::npos) return false;
    if (const std::size_t point = number.find('.'); point != std::string::npos)
        number.replace(point, 1, std::localeconv()->decimal_point);
    char* end = nullptr;
    if constexpr (std::is_same_v<T, float>) value = std::strtof(number.c_str(), &end);
    else value = std::strtod(number.c_str(), &end);
    return end == number.c_str() + number.size();
}
#endif
/// Reads the whole of `text` as a number: decimal, correctly rounded; beyond the type's range infinity or zero, as in
/// NumPy.
template <class T>
bool parse_real(std::string_view text, T& value) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    if constexpr (!std::is_same_v<T, float> && !std::is_same_v<T, double>) {
        double wide;
        if (!parse_real(text, wide)) return false;
        value = static_cast<T>(wide);
        return true;
    } else {
        bool out_of_range = false;
        if (!convert_real(text, value, out_of_range)) return false;
        if (out_of_range) {
            const bool tiny = is_tiny(text);
            const T size = tiny ? T(0) : std::numeric_limits<T>::infinity();
            value = text.starts_with('-') ? -size : size;
        }
        return true;
    }
}
/// The same for any element type. Complex numbers are written 1, 2j, 1+2j or (1+2j), with i in place of j too.
template <class T>
bool parse_number(std::string_view text, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        value = text == "1" || text == "True" || text == "true" || text == "TRUE";
        return value || text == "0" || text == "False" || text == "false" || text == "FALSE";
    } else if constexpr (is_complex_v<T>) {
        using real = real_t<T>;
        if (text.starts_with('(') && text.ends_with(')')) text = trimmed(text.substr(1, text.size() - 2));
        real re = 0, im = 0;
        if (text.empty() || (text.back() != 'j' && text.back() != 'i')) {
            if (!parse_real(text, re)) return false;
        } else {
            text.remove_suffix(1);
            std::size_t sign = text.size();  // of the imaginary part: the last one that is no exponent's
            while (sign > 0 && !((text[sign - 1] == '+' || text[sign - 1] == '-') &&
                                 (sign < 2 || (text[sign - 2] != 'e' && text[sign - 2] != 'E'))))
                --sign;
            sign -= sign > 0;
            const bool both = sign > 0 && text[sign] == '-' && text[sign - 1] == '+';  // numpy.savetxt writes 1+-2j
            if (sign > 0 && !parse_real(trimmed(text.substr(0, both ? sign - 1 : sign)), re)) return false;
            if (!parse_real(trimmed(text.substr(sign)), im)) return false;
        }
        value = T(re, im);
        return true;
    } else if constexpr (std::is_integral_v<T>) {
        if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
        using integer = typename signed_of_size<sizeof(T)>::type;  // from_chars knows no char16_t and the like
        std::conditional_t<std::is_signed_v<T>, integer, std::make_unsigned_t<integer>> n;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
        if (error != std::errc() || end != text.data() + text.size()) return false;
        value = static_cast<T>(n);
        return true;
    } else return parse_real(text, value);
}

/// Whether a field says that there is no number: nothing, or a word that pandas, R and databases write, as
/// pandas.read_csv takes it.
inline bool is_missing(std::string_view field) {
    for (const std::string_view word : {"", "NA", "<NA>", "N/A", "n/a", "#N/A", "nan", "NaN", "NULL", "null", "None"})
        if (field == word) return true;
    return false;
}

/// What is known of the table before its numbers are read: checked to be rectangular.
struct csv_layout {
    index_t rows = 0, fields = 0;
    std::vector<index_t> columns;  // for each field, where it goes first in `order`
};

inline csv_layout measure_csv(const byte_reader& file, csv_lines lines, const csv_options& options) {
    csv_layout layout;
    const auto fields_of = [&](std::string_view line) {
        index_t fields = 0;
        for (bool more = true; more; ++fields) take_field(line, options.delimiter, more);
        return fields;
    };
    std::string_view line;
    while (lines.next(line)) {
        const index_t fields = fields_of(line);
        if (layout.rows++ == 0) layout.fields = fields;
        if (fields != layout.fields)
            file.fail(" line " + std::to_string(lines.number) + " has " + std::to_string(fields) +
                      " fields, the first one " + std::to_string(layout.fields));
    }
    if (layout.rows == 0 && !trimmed(lines.header).empty()) layout.fields = fields_of(lines.header);
    for (const index_t c : options.columns) {
        if (layout.rows > 0 && (c < -layout.fields || c >= layout.fields))
            file.fail(" has no column " + std::to_string(c) + ": it has " + std::to_string(layout.fields));
        layout.columns.push_back(c < 0 ? c + layout.fields : c);
    }
    if (options.columns.empty())
        for (index_t c = 0; c < layout.fields; ++c) layout.columns.push_back(c);
    return layout;
}

/// Appends the shortest text that reads back as this number.
template <class T>
void append_number(std::string& text, const T& x) {
    if constexpr (is_complex_v<T>) {
        text += '(';
        append_number(text, x.real());
        if (!std::signbit(x.imag()) || std::isnan(x.imag())) text += '+';
        append_number(text, x.imag());
        text += "j)";
    } else if constexpr (std::is_same_v<T, bool>) text += x ? '1' : '0';
    else if constexpr (std::is_integral_v<T>) text += std::to_string(x);
    else {
        using writable = std::conditional_t<std::is_same_v<T, double>, double, float>;
        if (x != x) {
            text += "nan";  // to_chars writes a sign as well
            return;
        }
        char digits[64];
        text.append(digits, std::to_chars(digits, digits + sizeof digits, static_cast<writable>(x)).ptr);
    }
}

}  // namespace detail

/// Reads a table of numbers, one row a line: load_csv<double>("x.csv", {.skip_rows = 1, .columns = {0, -1}}). Blank
/// lines and comments are left out; numbers are decimal (inf, nan; 1+2j for complex types; 0, 1, true, false for bool),
/// in any locale, and may be in double quotes. Integers must be whole numbers that fit T. Where the option `missing` is
/// given, fields that are empty or one of the words of is_missing (NA, null, None, ...) stand for it; where T has NaN,
/// "nan" is that. Of a file without rows the last line left out at its start, its header, says how many columns there
/// are, where .columns does not; without one the shape is (0, 0).
/// Throws io_error, naming line and column, for a field that is no such number and for lines of unequal length.
template <class T>
tensor<T, 2> load_csv(const byte_source& from, const csv_options& options = {}) {
    static_assert(detail::storable<T>,
                  "ricci: .csv files hold bool, integers, floating and complex types up to double");
    detail::check_delimiter("load_csv", options.delimiter);
    detail::check_missing<T>(options);
    detail::input_file file("load_csv", from);
    const std::string text = file.read_text(file.size(), "text");
    detail::csv_lines lines{text, options};
    if (lines.rest.starts_with("\xef\xbb\xbf")) lines.rest.remove_prefix(3);  // a byte order mark
    const detail::csv_layout layout = detail::measure_csv(file, lines, options);

    const auto width = static_cast<index_t>(layout.columns.size());
    auto table = tensor<T, 2>::uninitialized({layout.rows, width});
    T* out = table.data();
    std::vector<std::string_view> fields(static_cast<std::size_t>(layout.fields));
    for (std::string_view line; lines.next(line); out += width) {
        bool more = true;
        for (std::string_view& field : fields) field = detail::take_field(line, options.delimiter, more);
        for (index_t i = 0; i < width; ++i) {
            const index_t column = layout.columns[static_cast<std::size_t>(i)];
            const std::string_view field = fields[static_cast<std::size_t>(column)];
            if (detail::parse_number(field, out[i])) continue;
            const bool missing = detail::is_missing(field);
            if (missing && options.missing) out[i] = convert_element<T>(*options.missing);
            else
                file.fail(" line " + std::to_string(lines.number) + ", column " + std::to_string(column) + ": '" +
                          std::string(field.substr(0, 100)) + "' is no " + dtype_name<T>() +
                          (missing ? ": the option .missing says what it stands for" : ""));
        }
    }
    return table;
}

template <std::same_as<void> Never = void>
auto load_csv(const byte_source&) {
    static_assert(always_false<Never>, "ricci: load_csv is told the type of elements: load_csv<double>(path)");
    return tensor<double, 2>();
}

/// Writes the value of an array of rank 1 (one number a line) or 2 (one row a line), each number as the shortest text
/// that reads back as the same; complex ones as (1+2j), bool as 0 and 1. Of an array without rows the header alone says
/// how many columns it has. Throws io_error when the file cannot be written.
template <expression E>
void save_csv(const std::string& path, const E& e, const csv_format& format = {}) {
    using T = value_type_t<E>;
    static_assert(detail::storable<T>,
                  "ricci: .csv files hold bool, integers, floating and complex types up to double");
    static_assert(rank_v<E> == 1 || rank_v<E> == 2, "ricci: .csv files hold arrays of rank 1 or 2");
    const auto value = detail::row_major_value(e);
    const index_t width = rank_v<E> == 2 ? value.shape()[rank_v<E> - 1] : 1;

    detail::check_delimiter("save_csv", format.delimiter);
    detail::output_file file("save_csv", path);
    std::string text = format.header.empty() ? "" : format.header + "\n";
    for (index_t i = 0; i < value.size(); ++i) {
        detail::append_number(text, value.data()[i]);
        text += (i + 1) % width == 0 ? '\n' : format.delimiter;
        if (text.size() < 1 << 16) continue;
        file.write(text);
        text.clear();
    }
    file.write(text);
    file.close();
}
template <detail::list_of_elements V, class... More>
void save_csv(const std::string&, const V&, const More&...) {
    detail::refused_list<V>();
}
template <expression E, class... More>
void save_csv(const E&, const byte_source&, const More&...) {
    static_assert(always_false<E>, "ricci: the path comes first: save_csv(\"x.csv\", x)");
}

}  // namespace ricci
