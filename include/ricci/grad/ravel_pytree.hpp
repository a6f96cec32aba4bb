// A structure of arrays as one vector and back: for methods that are written for vectors, and norms of whole gradients.
#pragma once
#include "../expr/structure.hpp"
#include "../ops/join.hpp"

namespace ricci {
namespace detail {

/// The elements of what stands in a place, in a row.
template <class A>
auto place_in_a_row(const A& a) {
    if constexpr (is_list_v<A>) {
        using array = array_in_t<A>;
        std::vector<array> all;
        each_array([&](const array& item) { all.push_back(item); }, a);
        return all.empty() ? constant_array<std::remove_cvref_t<decltype(flatten_list(all))>>({0}, 0)
                           : flatten_list(all);
    } else {
        return reshaped(a, shape<1>{a.size()});
    }
}

/// Of structures of type S, of which it keeps the shapes: a vector as such a structure.
template <class S>
class unravel_pytree {
    using places = decltype(structure<S>::arrays(std::declval<const S&>()));
    template <int K>
    using element_of = typename array_in_t<pack_element_t<K, places>>::value_type;
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
            const auto part = [&](const auto& extents) {
                const index_t from = std::exchange(at, at + extents.count());
                return astype<element_of<k()>>(reshaped(evaluate(index(row, slice(from, at))), extents));
            };
            return each_array([&](const auto& extents) { return evaluate(part(extents)); }, get<k()>(shapes_));
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
/// `norm(ravel_pytree(slope).flat)`. Both are linear. The function throws shape_error for a vector of another length.
/// (jax.flatten_util.ravel_pytree; torch.nn.utils.parameters_to_vector and vector_to_parameters.)
template <detail::structured S>
auto ravel_pytree(const S& tree) {
    const auto arrays = detail::structure<S>::arrays(tree);
    auto flat =
        detail::unpack([](const auto&... a) { return concat(std::make_tuple(detail::place_in_a_row(a)...)); }, arrays);
    return detail::raveled_pytree<decltype(flat), S>{std::move(flat), detail::unravel_pytree<S>(arrays)};
}

}  // namespace ricci
