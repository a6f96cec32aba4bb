// The steps of an einsum for the extents of its operands.
#pragma once
#include "../../core/error.hpp"
#include "einsum_order.hpp"

namespace ricci::detail {

[[noreturn, gnu::cold]] RICCI_NOINLINE inline void refuse_einsum(const char* text, char subscript, extents_ref a,
                                                                 index_t n, extents_ref b, index_t m) {
    const char name[] = {subscript, '\0'};
    raise<shape_error>({"[einsum] subscript ", subscript == einsum_text::dots ? "..." : name, " of \"", text, "\" is ",
                        n, " in an operand of shape ", a, " and ", m, " in one of ", b});
}

/// The common extents of what was laid out; throws where two operands do not agree on a subscript.
template <int L>
void einsum_extents(const shape<L>* x, int count, const einsum_layout& layout, const char* text,
                    const extents_ref* given, double* extent) {
    for (int d = 0; d < L; ++d) {
        int seen = -1;
        for (int i = 0; i < count; ++i) {
            if (x[i][d] == 1) continue;
            if (seen >= 0 && x[i][d] != x[seen][d])
                refuse_einsum(text, layout.subscript[d], given[seen], x[seen][d], given[i], x[i][d]);
            if (seen < 0) seen = i;
        }
        extent[d] = seen < 0 ? 1 : static_cast<double>(x[seen][d]);
    }
}

/// The steps for operands of these extents.
template <int N>
struct einsum_steps {
    einsum_step step[N] = {};

    einsum_steps() = default;
    template <int L>
    einsum_steps(const shape<L> (&x)[N], const einsum_layout& layout, const char* text, const extents_ref* given) {
        double extent[L + 1];
        einsum_extents(x, N, layout, text, given, extent);
        std::uint64_t axes[N] = {};
        for (int i = 0; i < N; ++i)
            for (int d = 0; d < L; ++d) axes[i] |= std::uint64_t(x[i][d] != 1) << d;
        const einsum_order order(axes, (std::uint64_t(1) << layout.result_rank) - 1, extent);
        std::copy(order.step, order.step + N - 1, step);
    }
};
/// They are kept for the next call of the same einsum in this thread: to check extents and to find an order takes
/// longer than to multiply small matrices.
template <fixed_string Text, const einsum_layout& Layout, int N, int L>
einsum_steps<N> known_einsum_steps(const shape<L> (&x)[N], const extents_ref* given) {
    struct known_steps {
        bool found;
        shape<L> extents[N];
        einsum_steps<N> to;
    };
    static thread_local known_steps known = {};
    if (!known.found || !std::equal(x, x + N, known.extents)) {
        known.found = false;
        known.to = einsum_steps<N>(x, Layout, Text.text, given);
        std::copy(x, x + N, known.extents);
        known.found = true;
    }
    return known.to;
}

}  // namespace ricci::detail
