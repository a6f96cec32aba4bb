// Batching in functorch's style: each argument mapped in front, mapped at the end or not mapped, in every combination,
// against a loop; in chunks; and the gradient so.
#pragma once
#include "mapped.hpp"

namespace mapped {

struct in_front {
    static constexpr index_t batch = 3;
    template <int R>
    static auto make(const shape<R>& extents, int seed) {
        shape<R + 1> full;
        full[0] = batch;
        for (int d = 0; d < R; ++d) full[d + 1] = extents[d];
        return spread(full, seed);
    }
    static constexpr int axis = 0;
};
struct at_the_end {
    template <int R>
    static auto make(const shape<R>& extents, int seed) {
        shape<R + 1> full;
        full[R] = in_front::batch;
        for (int d = 0; d < R; ++d) full[d] = extents[d];
        return spread(full, seed);
    }
    static constexpr int axis = -1;
};
struct shared {
    template <int R>
    static auto make(const shape<R>& extents, int seed) {
        return spread(extents, seed);
    }
    static constexpr none_t axis{};
};

/// One combination: values by a loop; then in chunks of 2, of 3 members, with the result's axis last.
template <class... Where, class F, int... R>
void check_combination(const F& f, const shape<R>&... extents) {
    if constexpr ((std::is_same_v<Where, shared> && ...)) {
        return;  // nothing to map
    } else {
        int seed = 0;
        const auto next = [&] { return seed += 17; };
        const auto args = std::tuple{Where::make(extents, next())...};
        std::apply(
            [&](const auto&... x) {
                const auto in = in_axes(Where::axis...);
                check_vmap(f, in, 0, x...);
                const auto expected = vmap(f, in, -1)(x...);
                // products of matrices add in an order that depends on their sizes
                check_close(vmap(f, in, -1, {.chunk_size = 2})(x...), expected, 1e-15);
            },
            args);
    }
}
template <class F, int P>
void check_every_way(const F& f, const shape<P>& p) {
    check_combination<in_front>(f, p);
    check_combination<at_the_end>(f, p);
}
template <class F, int P, int Q>
void check_every_way(const F& f, const shape<P>& p, const shape<Q>& q) {
    [&]<class... First>(std::type_identity<std::tuple<First...>>) {
        (..., (check_combination<First, in_front>(f, p, q), check_combination<First, at_the_end>(f, p, q),
               check_combination<First, shared>(f, p, q)));
    }(std::type_identity<std::tuple<in_front, at_the_end, shared>>{});
}
/// The same of the gradient of the sum of f's squares, with respect to the first argument: f's rules under vmap.
template <class F, int... R>
void check_gradients_every_way(const F& f, const shape<R>&... extents) {
    check_every_way(grad([f](auto... x) { return sum(square(f(x...))); }), extents...);
}

}  // namespace mapped
