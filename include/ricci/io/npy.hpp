// NumPy's .npy files, versions 1.0 to 3.0: load_npy, save_npy. Format: numpy/lib/format.py.
#pragma once
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../core/host_value.hpp"
#include "../expr/assign.hpp"

namespace ricci {
namespace detail {

class binary_file {
    std::FILE* file_;
    std::string name_;  // "[load_npy] 'path'", what every error begins with

   public:
    binary_file(const char* op, const std::string& path, const char* mode)
        : file_(std::fopen(path.c_str(), mode)), name_(std::string("[") + op + "] '" + path + "'") {
        if (!file_) fail(std::string(" cannot be opened: ") + std::strerror(errno));
    }
    ~binary_file() {
        if (file_) std::fclose(file_);
    }
    binary_file(const binary_file&) = delete;
    binary_file& operator=(const binary_file&) = delete;

    [[noreturn]] void fail(const std::string& why) const { throw io_error(name_ + why); }

    /// Bytes in the file; leaves the position at its start.
    std::size_t size() {
        const long end = std::fseek(file_, 0, SEEK_END) == 0 ? std::ftell(file_) : -1;
        if (end < 0 || std::fseek(file_, 0, SEEK_SET) != 0)
            fail(std::string(" has no size, is it a regular file? ") + std::strerror(errno));
        return static_cast<std::size_t>(end);
    }
    void read(void* to, std::size_t bytes, const char* what) {
        errno = 0;
        if (bytes && std::fread(to, 1, bytes, file_) != bytes)
            fail(std::ferror(file_) ? std::string(" cannot be read: ") + std::strerror(errno)
                                    : std::string(" is truncated in its ") + what);
    }
    void write(const void* from, std::size_t bytes) {
        if (bytes && std::fwrite(from, 1, bytes, file_) != bytes)
            fail(std::string(" cannot be written: ") + std::strerror(errno));
    }
    /// Writes what is buffered; a full disk shows up here at the latest.
    void close() {
        std::FILE* file = std::exchange(file_, nullptr);
        if (std::fclose(file) != 0) fail(std::string(" cannot be written: ") + std::strerror(errno));
    }
};

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
    const binary_file& file_;
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
    npy_parser(const std::string& text, const binary_file& file) : text_(text), file_(file) {}

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

/// Reads magic, version and header; leaves the file at its data. `size` is the file's.
inline npy_header read_npy_header(binary_file& file, std::size_t size) {
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

/// '<f4' taken apart.
struct npy_dtype {
    char order = 0, kind = 0;
    int bytes = 0;
};
inline npy_dtype parse_descr(const std::string& descr) {
    npy_dtype d;
    std::size_t at = 0;
    d.order = !descr.empty() && std::strchr("<>|=", descr[0]) ? descr[at++] : '=';
    if (at < descr.size()) d.kind = descr[at++];
    if (at == descr.size() || descr.size() - at > 2) return {};
    for (; at < descr.size(); ++at) {
        if (descr[at] < '0' || descr[at] > '9') return {};
        d.bytes = d.bytes * 10 + (descr[at] - '0');
    }
    return d;
}
/// "float32", or the file's own word where the array API has no name.
inline std::string dtype_text(const std::string& descr) {
    const npy_dtype d = parse_descr(descr);
    const char* name = d.kind == 'i'   ? "int"
                       : d.kind == 'u' ? "uint"
                       : d.kind == 'f' ? "float"
                       : d.kind == 'c' ? "complex"
                                       : nullptr;
    if (d.kind == 'b' && d.bytes == 1) return "bool";
    return name ? name + std::to_string(8 * d.bytes) : "dtype '" + descr + "'";
}
inline std::string extents_text(const std::vector<index_t>& extents) {
    std::string text = "(";
    for (const index_t n : extents) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
    return text + (extents.size() == 1 ? ",)" : ")");
}

template <class T>
inline constexpr char npy_kind = std::is_same_v<T, bool>       ? 'b'
                                 : is_complex_v<T>             ? 'c'
                                 : std::is_floating_point_v<T> ? 'f'
                                 : std::is_signed_v<T>         ? 'i'
                                                               : 'u';
template <class T>
inline constexpr bool npy_element = element<T> && (is_complex_v<T> ? sizeof(T) <= 16 : sizeof(T) <= 8);

/// Throws unless the header fits what was asked for and the data that it promises can be in the file.
inline void check_npy(const binary_file& file, const npy_header& header, char kind, std::size_t bytes,
                      const char* asked, int rank, std::size_t available) {
    const npy_dtype d = parse_descr(header.descr);
    if (d.kind != kind || d.bytes != static_cast<int>(bytes) || static_cast<int>(header.shape.size()) != rank)
        file.fail(" holds " + dtype_text(header.descr) + " of shape " + extents_text(header.shape) + ", asked for " +
                  asked + " of rank " + std::to_string(rank));
    std::size_t total = bytes;
    for (const index_t n : header.shape)
        if (n == 0) return;
    for (const index_t n : header.shape) {
        if (static_cast<std::size_t>(n) > available / total)  // also when the product would overflow
            file.fail(" is truncated: " + std::to_string(available) + " bytes of data do not hold " + asked +
                      " of shape " + extents_text(header.shape));
        total *= static_cast<std::size_t>(n);
    }
}

/// Reverses the bytes of each number of `width` bytes.
inline void swap_bytes(void* data, std::size_t bytes, std::size_t width) {
    auto* p = static_cast<unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; i += width)
        for (std::size_t k = 0; k < width / 2; ++k) std::swap(p[i + k], p[i + width - 1 - k]);
}

inline void write_npy_header(binary_file& file, char kind, std::size_t bytes, bool fortran_order,
                             const index_t* extents, int rank) {
    const char order = bytes == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
    std::string text = std::string("{'descr': '") + order + kind + std::to_string(bytes) +
                       "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                       ", 'shape': " + extents_text({extents, extents + rank}) + ", }";
    // As NumPy does it: room for the growing axis's extent to be overwritten, then padding to 64 bytes and a newline.
    if (rank > 0) text.append(21 - std::to_string(extents[fortran_order ? rank - 1 : 0]).size(), ' ');
    text.append(64 - (10 + text.size() + 1) % 64, ' ');
    text += '\n';
    const unsigned char start[10] = {0x93,
                                     'N',
                                     'U',
                                     'M',
                                     'P',
                                     'Y',
                                     1,
                                     0,
                                     static_cast<unsigned char>(text.size() & 255),
                                     static_cast<unsigned char>(text.size() >> 8)};
    file.write(start, sizeof start);
    file.write(text.data(), text.size());
}

}  // namespace detail

namespace detail {

/// Reads `count` elements and makes them ones of this machine.
template <class T>
void read_elements(binary_file& file, T* out, std::size_t count, char order) {
    file.read(out, count * sizeof(T), "data");
    constexpr std::size_t width = sizeof(real_t<T>);
    if (order == (std::endian::native == std::endian::little ? '>' : '<')) swap_bytes(out, count * sizeof(T), width);
    if constexpr (std::is_same_v<T, bool>) {  // any other byte than 0 and 1 would be undefined behaviour
        auto* bytes = reinterpret_cast<unsigned char*>(out);
        for (std::size_t i = 0; i < count; ++i) bytes[i] = bytes[i] != 0;
    }
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
template <class T, int R>
tensor<const T, R> read_only(const tensor<T, R>& x) {
    return {x.memory(), x.data(), x.shape(), x.strides()};
}

}  // namespace detail

/// Reads a .npy file of exactly this element type and rank into a row-major tensor: bool, (u)int8 to 64, float32/64,
/// complex64/128, of either byte order and either memory order. Throws io_error, saying what the file holds, when that is
/// something else, and when the file is broken, truncated or absent. Nothing is allocated before the file's size was checked.
template <class T, int R>
tensor<T, R> load_npy(const std::string& path) {
    static_assert(detail::npy_element<T>, "ricci: .npy files hold bool, integers, float, double and complex of those");
    detail::binary_file file("load_npy", path, "rb");
    const std::size_t size = file.size();
    const detail::npy_header header = detail::read_npy_header(file, size);
    detail::check_npy(file, header, detail::npy_kind<T>, sizeof(T), dtype_name<T>(), R, size - header.data_at);

    shape<R> extents;
    for (int i = 0; i < R; ++i) extents[i] = header.shape[static_cast<std::size_t>(i)];
    const bool column_major = header.fortran_order && R > 1;
    auto stored = tensor<T, R>::uninitialized(column_major ? detail::reversed(extents) : extents);
    detail::read_elements(file, stored.data(), static_cast<std::size_t>(stored.size()),
                          detail::parse_descr(header.descr).order);
    return column_major ? detail::transposed(stored).clone() : stored;
}

/// Writes the value of `e` as a .npy file of version 1.0, byte for byte as numpy.save does: column-major if the elements lie
/// so in memory, else row-major. Throws io_error when the file cannot be written; what was written of it then stays.
template <expression E>
void save_npy(const std::string& path, const E& e) {
    using T = value_type_t<E>;
    constexpr int R = rank_v<E>;
    static_assert(detail::npy_element<T>, "ricci: .npy files hold bool, integers, float, double and complex of those");
    const auto host = detail::host_value(e);
    const bool fortran_order = !host.is_contiguous() && detail::transposed(host).is_contiguous();
    const auto stored =
        host.is_contiguous() || fortran_order ? detail::read_only(host) : detail::read_only(host.clone());

    detail::binary_file file("save_npy", path, "wb");
    detail::write_npy_header(file, detail::npy_kind<T>, sizeof(T), fortran_order, stored.shape().begin(), R);
    file.write(stored.data(), static_cast<std::size_t>(stored.size()) * sizeof(T));
    file.close();
}

}  // namespace ricci
