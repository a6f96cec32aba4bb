// NumPy's .npy files, versions 1.0 to 3.0: load_npy, save_npy. Format: numpy/lib/format.py.
#pragma once
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../core/refused.hpp"
#include "stored_array.hpp"

namespace ricci {
namespace detail {

/// What a .npy file says of itself, its strings not yet interpreted.
struct npy_header {
    std::string descr;
    bool fortran_order = false;
    std::vector<index_t> shape;
    std::size_t data_at = 0;  // where the elements begin
};

/// Reads the header's Python literal, a dict of exactly the keys descr, fortran_order and shape. Anything else throws.
class npy_parser {
    const std::string& text_;
    const byte_reader& file_;
    std::size_t at_ = 0;

    [[noreturn]] void fail(const std::string& what) const {
        file_.fail(" has a broken header: " + what + " at byte " + std::to_string(at_) + " of " + text_.substr(0, 200));
    }
    void skip_space() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
            ++at_;
    }
    bool accept(const char* word) {
        skip_space();
        const std::size_t length = std::strlen(word);
        if (text_.compare(at_, length, word) != 0) return false;
        at_ += length;
        return true;
    }
    void expect(const char* word) {
        if (!accept(word)) fail(std::string("no '") + word + "'");
    }
    std::string quoted() {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') fail("no string");
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string::npos) fail("an unfinished string");
        std::string s = text_.substr(at_ + 1, end - at_ - 1);
        if (s.find('\\') != std::string::npos) fail("an escape sequence");
        at_ = end + 1;
        return s;
    }
    index_t extent() {
        skip_space();
        const std::size_t begin = at_;
        index_t n = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            const index_t digit = text_[at_] - '0';
            if (n > (std::numeric_limits<index_t>::max() - digit) / 10) fail("an extent that overflows");
            n = n * 10 + digit;
        }
        if (at_ == begin) fail("no extent");
        if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // written by Python 2
        return n;
    }
    std::vector<index_t> tuple() {
        std::vector<index_t> extents;
        expect("(");
        while (!accept(")")) {
            extents.push_back(extent());
            if (accept(",")) continue;
            if (extents.size() == 1) fail("no ',' after the only extent");  // (3) is a number, not a tuple
            expect(")");
            break;
        }
        return extents;
    }
    std::string description() {
        skip_space();
        if (at_ < text_.size() && text_[at_] == '[')
            file_.fail(" holds records (a structured dtype), which tensors cannot");
        return quoted();
    }

   public:
    npy_parser(const std::string& text, const byte_reader& file) : text_(text), file_(file) {}

    npy_header parse() {
        npy_header header;
        bool seen[3] = {};
        expect("{");
        while (!accept("}")) {
            const std::string key = quoted();
            expect(":");
            const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
            if (which < 0) fail("the unknown key '" + key + "'");
            if (std::exchange(seen[which], true)) fail("the key '" + key + "' twice");
            if (which == 0) header.descr = description();
            else if (which == 2) header.shape = tuple();
            else if (!(header.fortran_order = accept("True"))) expect("False");
            if (accept(",")) continue;
            expect("}");
            break;
        }
        skip_space();
        if (at_ != text_.size()) fail("something after the dict");
        if (!seen[0] || !seen[1] || !seen[2]) fail("a missing key");
        return header;
    }
};

/// Reads magic, version and header; leaves the file at its data.
inline npy_header read_npy_header(byte_reader& file) {
    const std::size_t size = file.size();
    unsigned char start[12] = {};
    if (size >= 4) {
        file.read(start, 4, "magic");
        if (std::memcmp(start, "PK\3\4", 4) == 0) file.fail(" is a zip archive (.npz), not a .npy file");
        if (std::memcmp(start, "\x93NUM", 4) != 0) file.fail(" is not a .npy file");
    }
    if (size < 10) file.fail(" is not a .npy file: it has " + std::to_string(size) + " bytes");
    file.read(start + 4, 6, "header");
    if (std::memcmp(start, "\x93NUMPY", 6) != 0) file.fail(" is not a .npy file");
    const int major = start[6], minor = start[7];
    if (major < 1 || major > 3 || minor != 0)
        file.fail(" is of version " + std::to_string(major) + "." + std::to_string(minor) +
                  "; 1.0, 2.0 and 3.0 are known");
    std::size_t length = start[8] | std::size_t(start[9]) << 8, offset = 10;
    if (major > 1) {
        if (size < 12) file.fail(" is truncated in its header");
        file.read(start + 10, 2, "header");
        length |= std::size_t(start[10]) << 16 | std::size_t(start[11]) << 24;
        offset = 12;
    }
    if (length > size - offset) file.fail(" is truncated in its header");
    std::string text(length, '\0');
    file.read(text.data(), length, "header");
    npy_header header = npy_parser(text, file).parse();
    header.data_at = offset + length;
    return header;
}

/// '<f4' taken apart: the byte order and the type. ml_dtypes' bfloat16 is saved as two bytes of no type, '<V2'.
struct npy_dtype {
    char order = '=';
    stored_dtype type;
};
inline npy_dtype parse_descr(const std::string& descr) {
    npy_dtype d;
    std::size_t at = 0;
    if (!descr.empty() && std::strchr("<>|=", descr[0])) d.order = descr[at++];
    const char kind = at < descr.size() ? descr[at++] : '\0';
    if (at == descr.size() || descr.size() - at > 2 || !kind || !std::strchr("biufcV", kind)) return d;
    int bytes = 0;
    for (; at < descr.size(); ++at) {
        if (descr[at] < '0' || descr[at] > '9') return d;
        bytes = bytes * 10 + (descr[at] - '0');
    }
    const bool is_integer = kind == 'i' || kind == 'u';
    if (bytes == 0 || (kind == 'b' && bytes != 1) || (kind == 'V' && bytes != 2) || (kind == 'c' && bytes % 2 != 0) ||
        (is_integer && (bytes & (bytes - 1)) != 0))
        return d;
    d.type = {kind == 'V' ? 'B' : kind, bytes};
    return d;
}
inline std::string npy_descr(stored_dtype d) {
    const char order = d.bytes == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
    return std::string{order, d.kind == 'B' ? 'V' : d.kind} + std::to_string(d.bytes);
}
/// "float32", or the file's own word where the array API has no name.
inline std::string descr_text(const std::string& descr) {
    const stored_dtype d = parse_descr(descr).type;
    return d.kind ? dtype_text(d) : "dtype '" + descr + "'";
}

/// How many bytes of elements the header promises; throws when they cannot be in the file.
inline std::size_t check_npy_size(const byte_reader& file, const npy_header& header) {
    const stored_dtype d = parse_descr(header.descr).type;
    const std::size_t available = file.size() - header.data_at;
    std::size_t total = 0;
    if (!fits(header.shape, static_cast<std::size_t>(d.bytes), available, total))
        file.fail(" is truncated: " + std::to_string(available) + " bytes of data do not hold " +
                  descr_text(header.descr) + " of shape " + extents_text(header.shape));
    return total;
}

/// What is before the elements in a .npy file of version 1.0.
inline std::string npy_header_text(stored_dtype dtype, bool fortran_order, const std::vector<index_t>& extents) {
    std::string text = "{'descr': '" + npy_descr(dtype) + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                       ", 'shape': " + extents_text(extents) + ", }";
    // As NumPy does it: room for the growing axis's extent to be overwritten, then padding to 64 bytes and a newline.
    if (!extents.empty())
        text.append(21 - std::to_string(fortran_order ? extents.back() : extents.front()).size(), ' ');
    text.append(64 - (10 + text.size() + 1) % 64, ' ');
    text += '\n';
    std::string start("\x93NUMPY\1\0", 8);
    start += static_cast<char>(text.size() & 255);
    start += static_cast<char>(text.size() >> 8);
    return start + text;
}

template <int R>
constexpr shape<R> reversed(const shape<R>& s) {
    shape<R> r;
    for (int i = 0; i < R; ++i) r[i] = s[R - 1 - i];
    return r;
}
/// The view with all axes reversed.
template <class T, int R>
tensor<T, R> transposed(const tensor<T, R>& x) {
    return {x.memory(), x.data(), reversed(x.shape()), reversed(x.strides())};
}

/// Reads an array of exactly this type and rank, from the start of what is read.
template <class T, int R>
tensor<T, R> read_npy(byte_reader& file) {
    const npy_header header = read_npy_header(file);
    const npy_dtype dtype = parse_descr(header.descr);
    if (dtype.type != stored_dtype_of<T>() || static_cast<int>(header.shape.size()) != R)
        file.fail(mismatch_text(descr_text(header.descr), header.shape, dtype_name<T>(), R));
    const std::size_t bytes = check_npy_size(file, header);

    const shape<R> extents = to_shape<R>(header.shape);
    const bool column_major = header.fortran_order && R > 1;
    auto stored = tensor<T, R>::uninitialized(column_major ? reversed(extents) : extents);
    file.read(stored.data(), bytes, "data");
    adopt_elements(stored.data(), bytes, dtype.type, dtype.order);
    return column_major ? transposed(stored).clone() : stored;
}

}  // namespace detail

/// Reads a .npy file of exactly this element type and rank into a row-major tensor: bool, (u)int8 to 64, float16/32/64,
/// bfloat16 (two bytes of no type, as ml_dtypes writes it), complex64/128, of either byte order and either memory
/// order. Throws io_error, saying what the file holds, when that is something else, and when the file is broken,
/// truncated or absent. Nothing is allocated before the file's size was checked.
template <class T, int R>
tensor<T, R> load_npy(const byte_source& from) {
    static_assert(detail::storable<T>,
                  "ricci: .npy files hold bool, integers, floating and complex types up to double");
    detail::input_file file("load_npy", from);
    return detail::read_npy<T, R>(file);
}
template <class T = void>
auto load_npy(const byte_source&) {
    static_assert(always_false<T>,
                  "ricci: load_npy is told type and rank, load_npy<double, 2>(path), or load_npy_any(path) finds out");
    return tensor<double, 0>();
}

/// Writes the value of `e` as a .npy file of version 1.0, byte for byte as numpy.save does: column-major if the
/// elements lie so in memory, else row-major. Throws io_error when the file cannot be written; what was written of it
/// then stays.
template <expression E>
void save_npy(const std::string& path, const E& e) {
    using T = value_type_t<E>;
    static_assert(detail::storable<T>,
                  "ricci: .npy files hold bool, integers, floating and complex types up to double");
    const auto host = detail::host_value(e);
    const bool fortran_order = !host.is_contiguous() && detail::transposed(host).is_contiguous();
    const auto stored = fortran_order ? detail::read_only(host) : detail::row_major_value(host);

    detail::output_file file("save_npy", path);
    file.write(detail::npy_header_text(detail::stored_dtype_of<T>(), fortran_order,
                                       {stored.shape().begin(), stored.shape().end()}));
    file.write(stored.data(), static_cast<std::size_t>(stored.size()) * sizeof(T));
    file.close();
}
template <detail::list_of_elements V>
void save_npy(const std::string&, const V&) {
    detail::refused_list<V>();
}
template <expression E, class... More>
void save_npy(const E&, const byte_source&, const More&...) {
    static_assert(always_false<E>, "ricci: the path comes first: save_npy(\"x.npy\", x)");
}

}  // namespace ricci
