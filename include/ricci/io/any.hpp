// Arrays whose element type and rank are known only when the file is read: load_npy_any gives a std::variant to visit.
// A header of its own, since every alternative of the variant is compiled.
#pragma once
#include <variant>

#include "npy.hpp"

namespace ricci {
namespace detail {

template <class T, class Ranks>
struct tensors_of;
template <class T, int... R>
struct tensors_of<T, std::integer_sequence<int, R...>> {
    using type = std::variant<tensor<T, R>...>;
};
template <class... Variants>
struct joined;
template <class... A>
struct joined<std::variant<A...>> {
    using type = std::variant<A...>;
};
template <class... A, class... B, class... Rest>
struct joined<std::variant<A...>, std::variant<B...>, Rest...> : joined<std::variant<A..., B...>, Rest...> {};

template <int MostRank, class... T>
using tensors_up_to =
    typename joined<typename tensors_of<T, std::make_integer_sequence<int, MostRank + 1>>::type...>::type;

}  // namespace detail

/// A tensor of any element type (those of the array API standard and the two of 16 bits) and of any rank up to
/// MostRank, as a std::variant.
template <int MostRank = 4>
using any_tensor = detail::tensors_up_to<MostRank, bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                                         std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float16, bfloat16,
                                         float, double, std::complex<float>, std::complex<double>>;

namespace detail {

/// Elements that were read, their type and shape not yet in any C++ type.
struct raw_array {
    storage memory;
    stored_dtype dtype;
    std::vector<index_t> shape;
    bool column_major = false;
};

inline raw_array read_raw_npy(byte_reader& file) {
    npy_header header = read_npy_header(file);
    const npy_dtype dtype = parse_descr(header.descr);
    if (!dtype.type.kind) file.fail(" holds " + descr_text(header.descr) + ", which tensors cannot");
    const std::size_t bytes = check_npy_size(file, header);
    raw_array raw{storage::allocate(bytes), dtype.type, std::move(header.shape), header.fortran_order};
    file.read(raw.memory.data(), bytes, "data");
    adopt_elements(raw.memory.data(), bytes, dtype.type, dtype.order);
    return raw;
}
template <class T, int R>
tensor<T, R> typed(const raw_array& raw) {
    const shape<R> extents = to_shape<R>(raw.shape);
    const shape<R> strides = raw.column_major ? reversed(row_major(reversed(extents))) : row_major(extents);
    return {raw.memory, static_cast<T*>(raw.memory.data()), extents, strides};
}
template <class T, int R>
bool is_typed(std::type_identity<tensor<T, R>>, const raw_array& raw) {
    return raw.dtype == stored_dtype_of<T>() && static_cast<int>(raw.shape.size()) == R;
}
template <class... A>
std::variant<A...> to_variant(std::type_identity<std::variant<A...>>, const raw_array& raw, const byte_reader& file) {
    std::variant<A...> found;
    // by number: an assignment would compare each alternative with all others
    const auto take = [&]<std::size_t I, class T, int R>(std::integral_constant<std::size_t, I>,
                                                         std::type_identity<tensor<T, R>> type) {
        if (!is_typed(type, raw)) return false;
        found.template emplace<I>(typed<T, R>(raw));
        return true;
    };
    const auto take_any = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (take(std::integral_constant<std::size_t, I>{}, std::type_identity<A>()) || ...);
    };
    if (!take_any(std::index_sequence_for<A...>()))
        file.fail(" holds " + dtype_text(raw.dtype) + " of shape " + extents_text(raw.shape) +
                  ", which is none of the variant's types and ranks");
    return found;
}

}  // namespace detail

/// Reads a .npy file of whatever it holds, for std::visit: load_npy_any("x.npy"), load_npy_any<6>(...) for ranks up to
/// 6. Row-major, or, if the file is column-major, with the strides that this gives. Throws io_error, saying what the
/// file holds, when that is no alternative of the variant, and when the file is broken.
template <int MostRank = 4>
any_tensor<MostRank> load_npy_any(const byte_source& from) {
    detail::input_file file("load_npy_any", from);
    return detail::to_variant(std::type_identity<any_tensor<MostRank>>(), detail::read_raw_npy(file), file);
}

}  // namespace ricci
