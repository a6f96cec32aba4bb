// Reductions of rows element by element, in loops that the compiler can turn into vector code: those of integers above
// all.
#pragma once
#include <algorithm>
#include <cstdint>

#include "../expr/tree.hpp"
#include "nest.hpp"
#include "reduce_rules.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// What a tree's value is before it is converted.
template <class Tree>
struct converted_type {
    using type = typename Tree::value_type;
};
template <class To, class Child>
struct converted_type<cast_node<To, Child>> {
    using type = typename Child::value_type;
};
template <class Tree>
using converted_type_t = typename converted_type<Tree>::type;

/// A kernel with one output, reduced by Combine, along a row: joined into an accumulator, or with the elements of
/// another row.
template <class Sweep, class Combine, class Outputs, class Domain>
struct scalar_reduction {
    using U = typename Sweep::template output_type<0>;
    using wide = wide_accumulator<Combine, U>;
    static constexpr index_t ways = 8;  // partial results of floats, whose order the compiler must keep

    template <class Inputs>
    RICCI_VECTORIZE static void run(const Sweep& function, Inputs in, const row_args& r) {
        const Sweep sweep = function;  // a copy, as n is: a store of bytes could change what lies in memory
        const index_t n = r.n, step = r.out_step[0];
        U* const out = reinterpret_cast<U*>(r.out[0]);
        if (r.mode[0] == output_mode::total) {
            wide& total = *reinterpret_cast<wide*>(r.out[0]);
            if constexpr (std::is_same_v<Combine, combine_or>) total.value = total.value || any_of(sweep, in, n);
            else if constexpr (counts_truths) total.add(count_of(sweep, in, n));
            else if constexpr (std::is_integral_v<U>) total.add(total_of(sweep, in, n));
            else add_parts(sweep, in, n, total);
        } else if (r.mode[0] == output_mode::add) {
            if constexpr (std::is_same_v<Combine, combine_or>)
                if (step == 1) return join_truths(sweep, in, r, out);
            if constexpr (std::is_same_v<Combine, combine_or>) {
                for (int row = 0; row < r.rows; ++row) {
                    add(sweep, in, n, out, step);
                    if (row + 1 < r.rows) next_row(in, r);
                }
            } else if (step == 1) add(sweep, in, n, out, std::integral_constant<index_t, 1>{});
            else add(sweep, in, n, out, step);
        } else {
            for (in.i = 0; in.i < n; ++in.i) out[in.i * step] = value(sweep, in);
        }
    }

   private:
    template <class Inputs>
    RICCI_INLINE static U value(const Sweep& sweep, const Inputs& in) {
        Outputs y(nullptr);
        sweep.template run<Domain>(in, y);
        return y.template at<0>();
    }
    template <class Inputs>
    RICCI_INLINE static U total_of(const Sweep& sweep, Inputs in, index_t n) {
        U total = Combine::template identity<U>();
        for (in.i = 0; in.i < n; ++in.i) total = Combine::join(total, value(sweep, in));
        return total;
    }
    template <class Inputs>
    RICCI_INLINE static bool any_of(const Sweep& sweep, Inputs in, index_t n) {
        constexpr index_t block = 256;  // a loop of known length becomes registers
        index_t first = 0;
        for (; first + block <= n; first += block) {
            unsigned char some = 0;
            for (index_t w = 0; w < block; ++w) {
                in.i = first + w;
                some |= static_cast<unsigned char>(value(sweep, in));
            }
            if (some) return true;
        }
        for (in.i = first; in.i < n; ++in.i)
            if (value(sweep, in)) return true;
        return false;
    }
    /// Rows of truths joined with those in `out`.
    template <class Inputs>
    RICCI_INLINE static void join_truths(const Sweep& sweep, const Inputs& in, const row_args& r, bool* out) {
        auto* const bytes = reinterpret_cast<unsigned char*>(out);
        if (r.n >= 64) join_blocks<64>(sweep, in, r, bytes);
        else if (r.n >= 16) join_blocks<16>(sweep, in, r, bytes);
        else join_blocks<1>(sweep, in, r, bytes);
    }
    /// In memory of their own, where the compiler sees that no result is an operand. The last block overlaps the one
    /// before: what held holds again.
    template <index_t N, class Inputs>
    RICCI_INLINE static void join_blocks(const Sweep& sweep, const Inputs& first, const row_args& r,
                                         unsigned char* out) {
        const index_t last = r.n - N;
        for (index_t at = 0;; at = std::min(at + N, last)) {
            unsigned char truths[N] = {}, next[N];
            Inputs in = first;
            for (int row = 0; row < r.rows; ++row) {
                for (index_t w = 0; w < N; ++w) {
                    in.i = at + w;
                    next[w] = static_cast<unsigned char>(value(sweep, in));
                }
                for (index_t w = 0; w < N; ++w) truths[w] |= next[w];
                if (row + 1 < r.rows) next_row(in, r);
            }
            for (index_t w = 0; w < N; ++w) out[at + w] |= truths[w];
            if (at == last) return;
        }
    }
    template <class Inputs>
    RICCI_INLINE static void next_row(Inputs& in, const row_args& r) {
        for (int k = 0; k < Sweep::inputs; ++k) in.at[k] += r.row_bytes[k];
    }
    /// A sum of truth values: bytes count as far as they reach.
    static constexpr bool counts_truths = std::is_integral_v<U> && std::is_same_v<Combine, combine_plus> &&
                                          std::is_same_v<converted_type_t<typename Sweep::tree_type>, bool>;
    template <class Inputs>
    RICCI_INLINE static U count_of(const Sweep& sweep, Inputs in, index_t n) {
        constexpr index_t width = 64, most = 255;
        U total = 0;
        in.i = 0;
        while (n - in.i >= width) {
            std::uint8_t count[width] = {};
            const index_t first = in.i, rows = std::min((n - first) / width, most);
            for (index_t row = 0; row < rows; ++row)
                for (index_t w = 0; w < width; ++w) {
                    in.i = first + row * width + w;
                    count[w] = static_cast<std::uint8_t>(count[w] + static_cast<std::uint8_t>(value(sweep, in)));
                }
            for (const std::uint8_t c : count) total += c;
            in.i = first + rows * width;
        }
        for (; in.i < n; ++in.i) total += value(sweep, in);
        return total;
    }
    template <class Inputs>
    RICCI_INLINE static void add_parts(const Sweep& sweep, Inputs in, index_t n, wide& total) {
        using W = std::conditional_t<std::is_same_v<Combine, combine_plus>, typename wide_of<U>::type, U>;
        W part[ways];
        for (index_t w = 0; w < ways; ++w) part[w] = Combine::template identity<W>();
        const index_t whole = n - n % ways;
        for (index_t first = 0; first < whole; first += ways)
            for (index_t w = 0; w < ways; ++w) {
                in.i = first + w;
                part[w] = Combine::join(part[w], static_cast<W>(value(sweep, in)));
            }
        for (in.i = whole; in.i < n; ++in.i) total.add(value(sweep, in));
        for (index_t w = 0; w < ways; ++w) total.add(part[w]);
    }
    template <class Inputs, class Step>
    RICCI_INLINE static void add(const Sweep& sweep, Inputs in, index_t n, U* out, Step step) {
        for (in.i = 0; in.i < n; ++in.i) {
            U& at = out[in.i * step];
            at = Combine::join(at, value(sweep, in));
        }
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
