// Random arrays of another array's shape. Under vmap that is one member's: each gets its own numbers, or all the same.
#pragma once
#include "create.hpp"
#include "random/draw.hpp"

namespace ricci {
namespace detail {

template <random_source Source, expression E>
auto random_like(const E& x, generator& g, const char* who) {
    using T = typename E::value_type;
    static_assert(is_inexact_v<T>,
                  "ricci: random numbers take the element type of the example, which must be floating");
    using wrappers = chain_of_t<decltype(evaluate(x))>;
    using draw = random_draw<Source, drawn_t<T>, E::rank + is_complex_v<T>, device_t<E>>;
    return as_drawn<Source, T>(draw(drawn_shape<T>(x.shape()), g, who, "the example is not")(wrappers{}));
}

}  // namespace detail

/// Uniform random numbers in [0, 1), of the shape, element type and device of `x`, constants of every derivative.
/// Inside vmap, where `x` is one member, its option `randomness` decides: with `different` each member of the batch
/// gets numbers of its own, those of rand with the batch in front, whatever the chunk size; with `same` all get one
/// draw; otherwise value_error is thrown, as it is when a vmap with `different` does not map `x`.
template <expression E>
auto rand_like(const E& x, generator_ref g = {}) {
    return detail::random_like<detail::random_source::uniform>(x, g, "rand_like");
}

/// Standard normal random numbers (mean 0, variance 1), otherwise as rand_like.
template <expression E>
auto randn_like(const E& x, generator_ref g = {}) {
    return detail::random_like<detail::random_source::normal>(x, g, "randn_like");
}

}  // namespace ricci
