// Arrays as files hold them: element type and shape known at run time only; what loaders and savers of all formats
// share.
#pragma once
#include <bit>
#include <limits>
#include <string_view>
#include <vector>

#include "../core/host_value.hpp"
#include "../cpu/executor.hpp"
#include "../expr/assign.hpp"
#include "file.hpp"

namespace ricci {

/// What a file says of an array that it holds.
struct array_info {
    std::string name;
    std::string dtype;  // "float32", as dtype_name<T>() says it, or the file's own word
    std::vector<index_t> shape;
    friend bool operator==(const array_info&, const array_info&) = default;
};

namespace detail {

/// An element type of a file: b(ool), i(nteger), u(nsigned), f(loat), c(omplex), B(float16 of Google's brain), or none.
struct stored_dtype {
    char kind = 0;
    int bytes = 0;
    friend bool operator==(stored_dtype, stored_dtype) = default;
};
template <class T>
constexpr stored_dtype stored_dtype_of() {
    constexpr std::string_view name = dtype_name<T>();
    if (name == "long double") return {};
    return {name == "bfloat16" ? 'B' : name == "bool" ? 'b' : name[0], static_cast<int>(sizeof(T))};
}
/// The types that files can hold.
template <class T>
concept storable = element<T> && !std::is_const_v<T> && stored_dtype_of<T>().kind != 0;

/// "float32"; empty where the library has no name.
inline std::string dtype_text(stored_dtype d) {
    const char* name = d.kind == 'b'   ? "bool"
                       : d.kind == 'B' ? "bfloat16"
                       : d.kind == 'i' ? "int"
                       : d.kind == 'u' ? "uint"
                       : d.kind == 'f' ? "float"
                       : d.kind == 'c' ? "complex"
                                       : "";
    return d.kind == 'b' || d.kind == 'B' || !*name ? name : name + std::to_string(8 * d.bytes);
}
inline std::string extents_text(const std::vector<index_t>& extents) {
    return shape_text({extents.data(), static_cast<int>(extents.size())});
}

/// "holds float32 of shape (2, 3), asked for float64 of rank 1".
inline std::string mismatch_text(const std::string& dtype, const std::vector<index_t>& extents, const char* asked,
                                 int rank) {
    return " holds " + dtype + " of shape " + extents_text(extents) + ", asked for " + asked + " of rank " +
           std::to_string(rank);
}

/// Whether an array of such a shape fills no more than `available` bytes; `total` is what it fills. The size of an
/// empty one must not overflow index_t without the zeros either.
inline bool fits(const std::vector<index_t>& extents, std::size_t element_bytes, std::size_t available,
                 std::size_t& total) {
    total = 0;
    bool empty = false;
    for (const index_t n : extents) empty = empty || n == 0;
    const std::size_t limit = empty ? static_cast<std::size_t>(std::numeric_limits<index_t>::max()) : available;
    std::size_t product = element_bytes;
    if (product > limit) return false;
    for (const index_t n : extents) {
        if (n == 0) continue;
        if (static_cast<std::size_t>(n) > limit / product) return false;  // also when the product would overflow
        product *= static_cast<std::size_t>(n);
    }
    if (empty) return true;
    total = product;
    return true;
}

template <int R>
shape<R> to_shape(const std::vector<index_t>& extents) {
    shape<R> s;
    for (int i = 0; i < R; ++i) s[i] = extents[static_cast<std::size_t>(i)];
    return s;
}

/// Reverses the bytes of each number of `width` bytes.
inline void swap_bytes(void* data, std::size_t bytes, std::size_t width) {
    auto* p = static_cast<unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; i += width)
        for (std::size_t k = 0; k < width / 2; ++k) std::swap(p[i + k], p[i + width - 1 - k]);
}
/// Makes elements that were read ones of this machine. `order` is '<', '>', or anything else for bytes without one.
inline void adopt_elements(void* data, std::size_t bytes, stored_dtype dtype, char order) {
    const auto width = static_cast<std::size_t>(dtype.kind == 'c' ? dtype.bytes / 2 : dtype.bytes);
    if (order == (std::endian::native == std::endian::little ? '>' : '<')) swap_bytes(data, bytes, width);
    if (dtype.kind != 'b') return;
    auto* flags = static_cast<unsigned char*>(data);  // any other byte than 0 and 1 would be undefined behaviour
    for (std::size_t i = 0; i < bytes; ++i) flags[i] = flags[i] != 0;
}

/// The value of an expression, row-major, on the CPU; the tensor itself where it is that already.
template <expression E>
auto row_major_value(const E& e) {
    return read_only(dense_of(host_value(e)));
}

}  // namespace detail

}  // namespace ricci
