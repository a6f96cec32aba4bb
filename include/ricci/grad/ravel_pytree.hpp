// A structure of arrays as one vector and back: for methods that are written for vectors, and norms of whole gradients.
#pragma once
#include "function_of_arrays.hpp"

namespace ricci {
namespace detail {

/// The arrays in a structure, and the elements of the K-th.
template <class S>
using arrays_of_pytree = decltype(structure<S>::arrays(std::declval<const S&>()));
template <int K, class S>
using element_of_pytree = typename array_in_t<pack_element_t<K, arrays_of_pytree<S>>>::value_type;

/// Of structures of type S, of which it keeps the shapes: a vector as such a structure.
template <class S>
class unravel_pytree {
    using places = arrays_of_pytree<S>;
    static auto shapes_of(const places& arrays) {
        return generate<places::size>(
            [&](auto k) { return each_array([](const auto& a) { return a.shape(); }, get<k()>(arrays)); });
    }

   public:
    explicit unravel_pytree(const places& arrays) : shapes_(shapes_of(arrays)) {}

    template <expression V>
    auto operator()(const V& flat) const {
        static_assert(V::rank == 1, "ricci: a structure is made of a vector");
        const auto row = evaluate(flat);
        index_t count = 0;
        const auto measure = [&](const auto& extents) { count += extents.count(); };
        unpack([&](const auto&... s) { (each_array(measure, s), ...); }, shapes_);
        if (row.size() != count)
            raise<shape_error>({"[ravel_pytree] the structure has ", count, " elements and the vector ", row.size()});
        index_t at = 0;
        return structure<S>::template at<0>(generate<places::size>([&](auto k) {
            using T = element_of_pytree<k(), S>;
            return each_array([](const auto& a) { return evaluate(astype<T>(a)); },
                              place_of_row(row, get<k()>(shapes_), at));
        }));
    }

   private:
    decltype(shapes_of(std::declval<const places&>())) shapes_;
};

/// What ravel_pytree gives, for `auto [flat, unravel] = ravel_pytree(parameters)`.
template <class V, class S>
struct raveled_pytree {
    V flat;
    unravel_pytree<S> unravel;
};

}  // namespace detail

/// All elements of a structure of arrays, a tuple, vector, map or struct that lists its members, in one vector of their
/// common type, and the function from such vectors to structures of these shapes and types: `auto [flat, unravel] =
/// ravel_pytree(parameters)`, and then `hessian([&](auto v) { return loss(unravel(v)); })(flat)`, or
/// `norm(ravel_pytree(slope).flat)`. Both are linear; what unravel gives are views of the vector where element types
/// are its own. It throws shape_error for a vector of another length. (jax.flatten_util.ravel_pytree;
/// torch.nn.utils.parameters_to_vector and vector_to_parameters.)
template <detail::structured S>
auto ravel_pytree(const S& tree) {
    const auto arrays = detail::structure<S>::arrays(tree);
    auto flat =
        detail::unpack([](const auto&... a) { return concat(std::make_tuple(detail::row_of_place(a)...)); }, arrays);
    return detail::raveled_pytree<decltype(flat), S>{std::move(flat), detail::unravel_pytree<S>(arrays)};
}

}  // namespace ricci
