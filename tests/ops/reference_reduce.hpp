// Reductions by the definition: a loop over elements, one accumulator for each result.
#pragma once
#include "../reference.hpp"

namespace reference {

/// Folds the elements of x along the axes in the bit set `axes`, starting from `start`; the results in row-major order.
template <class A, class X, class F>
std::vector<A> fold(const X& x, unsigned axes, A start, F f) {
    ricci::shape<X::rank> kept = x.shape();
    for (int d = 0; d < X::rank; ++d)
        if ((axes >> d) & 1) kept[d] = 1;
    std::vector<A> results(static_cast<std::size_t>(kept.count()), start);
    for_each_index(x.shape(), [&](const auto& at) {
        index_t to = 0;
        for (int d = 0; d < X::rank; ++d) to = to * kept[d] + (kept[d] == 1 ? 0 : at[d]);
        A& result = results[static_cast<std::size_t>(to)];
        result = f(result, element(x, at));
    });
    return results;
}

/// Calls f(array of N axes, bit set) for every choice of N of R axes, in order and, where there are two, reversed and
/// negative.
template <int N, int R, class F>
void for_each_choice(F f) {
    for (unsigned set = 0; set < (1u << R); ++set) {
        int axes[N], n = 0;
        for (int d = 0; d < R; ++d)
            if ((set >> d) & 1) {
                if (n < N) axes[n] = d;
                ++n;
            }
        if (n != N) continue;
        f(axes, set);
        if (N < 2) continue;
        std::swap(axes[0], axes[N - 1]);
        axes[0] -= R;
        f(axes, set);
    }
}

}  // namespace reference
