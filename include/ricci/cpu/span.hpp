// Spans: the function that evaluates a sweep along one row or several, on SIMD registers.
#pragma once
#include <algorithm>
#include <array>

#include "nest.hpp"
#include "row_inputs.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Runs a span, or those of a sheet's rows; leaves the sums (maxima, ...) of outputs in mode total in totals, one
/// register each, one row after the other.
using span_function = void (*)(const void* sweep, const span_args& args, std::byte* totals);

template <class Sweep, class T, merging Merge, class Combine>
struct simd_span {
    using outputs_type = step_outputs<Sweep, simd_domain<T>, Merge == merging::table ? merging::none : Merge>;
    static constexpr int lanes = simd<T>::lanes;

    template <int K>
    static constexpr bool is_group = outputs_type::template group<K> == K;

    RICCI_FLATTEN static void run(const void* self, const span_args& args, std::byte* totals) {
        if constexpr (divisor_inputs<Sweep, T>() != 0)
            if (dividing_inputs<Sweep, T>::fit(args)) return run_rows<dividing_inputs<Sweep, T>>(self, args, totals);
        if constexpr (shared_inputs<Sweep>::any) {
            Sweep sweep = *static_cast<const Sweep*>(self);
            if (shared_inputs<Sweep>::fit(args) && share_numbers(sweep.get())) return run_sharing(self, args, totals);
        }
        run_rows<simd_inputs<Sweep, T, Merge>>(self, args, totals);
    }

   private:
    /// The same where repeated subtrees have the same inputs and numbers, and compilers see it.
    RICCI_NOINLINE RICCI_FLATTEN static void run_sharing(const void* self, const span_args& args, std::byte* totals) {
        run_rows<simd_inputs<Sweep, T, Merge, true>>(self, args, totals);
    }
    template <class Inputs>
    RICCI_INLINE static void run_rows(const void* self, const span_args& args, std::byte* totals) {
        Sweep sweep = *static_cast<const Sweep*>(self);
        if constexpr (Inputs::shares) (void)share_numbers(sweep.get());
        Inputs in(args);
        // copies: a store could change what args point to, for all that the compiler knows
        std::byte* out_at[Sweep::outputs];
        output_mode mode[Sweep::outputs];
        for (int k = 0; k < Sweep::outputs; ++k) {
            out_at[k] = args.out[k];
            mode[k] = args.mode[k];
        }
        const span_args a{
            args.n, nullptr,    nullptr, out_at, mode, args.merge, args.rows > 1 ? nullptr : args.row_bytes,
            1,      args.blocks};
        int left = args.rows;
        if constexpr (!std::is_void_v<Combine> && unrolled) {
            if (mode[0] == output_mode::total && a.n <= short_total)
                for (; left > row_kernel::block; left -= row_kernel::block)
                    totals = run_row_totals(sweep, in, a, args.row_bytes, totals);
        }
        for (;;) {
            auto* const total = reinterpret_cast<simd<T>*>(totals);
            if constexpr (std::is_void_v<Combine>) run_storing(sweep, in, a);
            else if constexpr (Merge == merging::table) run_blocks(sweep, in, a, total);
            else run_reducing(sweep, in, a, total);
            if (--left == 0) return;
            in.next_row(args.row_bytes);
            for_indices<Sweep::outputs>([&](auto k) { out_at[k()] += args.row_bytes[Sweep::inputs + k()]; });
            if constexpr (!std::is_void_v<Combine>) totals += Sweep::outputs * sizeof(simd<T>);
        }
    }
    using output_indices = std::make_integer_sequence<int, Sweep::outputs>;
    template <int... K>
    RICCI_INLINE static void store(const span_args& a, index_t i, outputs_type& out, std::integer_sequence<int, K...>) {
        (void(is_group<K> && (store_lanes(out.template at<K>(),
                                          reinterpret_cast<typename Sweep::template output_type<K>*>(a.out[K]) + i),
                              true)),
         ...);
    }

   public:
    /// Cheap sums want several accumulators, to hide the latency of the addition, and rows added to others block by
    /// block.
    static constexpr bool unrolled =
        Sweep::outputs == 1 && tree_cost_v<typename Sweep::tree_type> <= 4 && Sweep::order == 0;

   private:
    /// Where a register takes so few instructions, the branches by the outputs' modes are most of its time.
    static constexpr bool asks_once = !unrolled && Sweep::outputs <= 4 && tree_cost_v<typename Sweep::tree_type> <= 4;
    /// Where a register takes more, inputs are moved on by an addition each, in place of a copy of the index and a
    /// mask; that takes longer at the ends of rows.
    static constexpr bool moves = tree_cost_v<typename Sweep::tree_type> > 4;
    template <class Inputs>
    RICCI_INLINE static void run_storing(const Sweep& sweep, const Inputs& first, const span_args& a) {
        Inputs in = first;
        const index_t last = a.n - lanes;
        for (index_t i = 0;;) {
            do {  // there is one register at least
                outputs_type out(a.merge);
                sweep.template run<simd_domain<T>>(in, out);
                store(a, i, out, output_indices{});
                i += lanes;
                if constexpr (moves) in.move(lanes);
                else in.i = i;
            } while (i <= last);
            if (i == a.n) return;
            i = last;
            if constexpr (moves) (in = first).move(i);
            else in.i = i;
        }
    }
    /// Gradients need all registers for their constants, and most of them sum nothing; those of a function or two have
    /// room for the value, too.
    static constexpr bool totals_in_registers =
        !Sweep::reverse || asks_once || unrolled ||
        (Sweep::order == 0 && Sweep::outputs <= 2 && tree_cost_v<typename Sweep::tree_type> <= 24);
    template <class Inputs>
    RICCI_INLINE static void run_reducing(const Sweep& sweep, Inputs& in, const span_args& a, simd<T>* totals) {
        simd<T> here[Sweep::outputs];
        simd<T>* const total = totals_in_registers ? here : totals;
        for (int k = 0; k < Sweep::outputs; ++k) total[k] = simd<T>(Combine::template identity<T>());
        if constexpr (unrolled) {
            if (a.row_bytes) return run_row_blocks(sweep, in, a);
            if (a.mode[0] == output_mode::store) return run_storing(sweep, in, a);
            if (a.mode[0] == output_mode::total) run_unrolled(sweep, in, a, total[0]);
        }
        if constexpr (asks_once) {
            const output_mode mode = a.mode[0];
            if (are_all(mode, a.mode, output_indices{})) {
                if (mode == output_mode::store && a.n < beyond_cache)
                    run_alike<output_mode::store>(sweep, in, a, total);
                else if (mode == output_mode::total) run_alike<output_mode::total>(sweep, in, a, total);
                else if (mode == output_mode::add) run_alike<output_mode::add>(sweep, in, a, total);
            }
        }
        simd_mask<T> fresh(true);  // lanes not yet seen: all, until the last register overlaps
        bool overlaps = false;
        const index_t last = a.n - lanes;
        for (;;) {
            for (; in.i <= last; in.i += lanes) {
                if (Merge == merging::all && a.n >= beyond_cache) prefetch(a, in);
                outputs_type out(a.merge);
                sweep.template run<simd_domain<T>>(in, out);
                if (overlaps) [[unlikely]]
                    forget(fresh, a, out, output_indices{});
                reduce(a, in.i, out, total, output_indices{});
            }
            if (in.i == a.n) break;
            overlaps = true;
            fresh = simd_mask<T>::load(last_lanes<lanes> + (a.n - in.i));
            in.i = last;
        }
        if constexpr (totals_in_registers)
            for (int k = 0; k < Sweep::outputs; ++k) totals[k] = total[k];
    }
    /// Whether output K is the value beside adjoints, which goes another way than they do.
    template <int K>
    static constexpr bool is_value = Sweep::reverse && K > 0 && Sweep::out.at[K].variable == Sweep::slots;
    template <int... K>
    RICCI_INLINE static bool are_all(output_mode mode, const output_mode* modes, std::integer_sequence<int, K...>) {
        return ((!is_group<K> || is_value<K> || modes[K] == mode) && ...);
    }
    /// All whole registers of outputs that, but for a value beside adjoints, are in one mode.
    template <output_mode Mode, class Inputs>
    RICCI_INLINE static void run_alike(const Sweep& sweep, Inputs& in, const span_args& a, simd<T>* total) {
        std::byte* to[Sweep::outputs];
        output_mode modes[Sweep::outputs];
        for (int k = 0; k < Sweep::outputs; ++k) {
            to[k] = a.out[k];
            modes[k] = a.mode[k];
        }
        for (const index_t last = a.n - lanes; in.i <= last; in.i += lanes) {
            outputs_type out(a.merge);
            sweep.template run<simd_domain<T>>(in, out);
            for_indices<Sweep::outputs>([&](auto k) {
                if constexpr (is_group<k()>)
                    reduce(is_value<k()> ? modes[k()] : Mode, reinterpret_cast<T*>(to[k()]), in.i,
                           out.template at<k()>(), total[k()]);
            });
        }
    }
    /// Gradients do so much for each element that few loads are under way at a time; the processor sees too late what
    /// comes.
    static constexpr index_t beyond_cache = index_t(1) << 15;
    template <class Inputs>
    RICCI_INLINE static void prefetch(const span_args& a, const Inputs& in) {
        constexpr index_t ahead = 2048 / sizeof(T);
        __builtin_prefetch(in.at[0] + ((in.i + ahead) & in.mask[0]) * index_t(sizeof(T)), 0);
        if (a.out[0]) __builtin_prefetch(a.out[0] + (in.i + ahead) * index_t(sizeof(T)), 1);
    }
    /// Leaves what is combined with other elements as it is in the lanes that were seen before.
    template <int... K>
    RICCI_INLINE static void forget(const simd_mask<T>& fresh, const span_args& a, outputs_type& out,
                                    std::integer_sequence<int, K...>) {
        const auto cut = [&](output_mode mode, simd<T>& v) {
            if (mode != output_mode::store) v = math::select(fresh, v, simd<T>(Combine::template identity<T>()));
        };
        (void(is_group<K> && (cut(a.mode[K], out.template at<K>()), true)), ...);
    }
    template <int... K>
    RICCI_INLINE static void reduce(const span_args& a, index_t i, outputs_type& out, simd<T>* total,
                                    std::integer_sequence<int, K...>) {
        (void(is_group<K> &&
              (reduce(a.mode[K], reinterpret_cast<T*>(a.out[K]), i, out.template at<K>(), total[K]), true)),
         ...);
    }
    /// `out` is null where nothing is written.
    RICCI_INLINE static void reduce(output_mode mode, T* out, index_t i, const simd<T>& v, simd<T>& total) {
        if (mode == output_mode::store) v.store(out + i);
        else if (mode == output_mode::total) total = Combine::join(total, v);
        else if (mode == output_mode::add) Combine::join(simd<T>::load(out + i), v).store(out + i);
    }
    /// Whether output K is no coefficient of the outermost level's infinitesimal. Of these all are asked or, more
    /// often, none: one branch for them takes less than the stores, or than a branch for each.
    template <int K>
    RICCI_INLINE static constexpr bool is_primal() {
        if constexpr (Sweep::order == 0) return false;
        else return Sweep::out.at[K].powers >> 4 * (level_count(Sweep::order) - 1) == 0;
    }
    /// The primal outputs that somebody reads, or all others.
    template <bool Primal, int... K>
    RICCI_INLINE static void store_at(T* const* to, index_t i, outputs_type& out, std::integer_sequence<int, K...>) {
        (void(is_primal<K>() == Primal && (!Primal || to[K]) && (out.template at<K>().store(to[K] + i), true)), ...);
    }
    /// Where a block's values of output K go; null for primal ones that nobody reads.
    template <int K>
    RICCI_INLINE static T* block_target(const span_args& a, index_t first, T* values) {
        if (output_block<T, Sweep::outputs>::is_direct(a, K)) return reinterpret_cast<T*>(a.out[K]) + first;
        return is_primal<K>() && a.mode[a.merge[K]] == output_mode::skip ? nullptr : values;
    }
    /// One body for all registers: the last one overlaps the one before it, in a block that is never shorter than one.
    /// What stays put along the row is copied for a block: then one index goes for all inputs and outputs, and none has
    /// a mask.
    template <class Inputs>
    RICCI_INLINE static void run_blocks(const Sweep& sweep, const Inputs& in, const span_args& a, simd<T>* totals) {
        static_assert(std::is_same_v<Combine, combine_plus>);
        using block_type = output_block<T, Sweep::outputs>;
        block_type block(a);
        constexpr std::size_t widest = []<int... K>(std::integer_sequence<int, K...>) {
            return std::max({sizeof(T), sizeof(typename Sweep::template input_type<K>)...});
        }(std::make_integer_sequence<int, Sweep::inputs>{});
        alignas(64) std::byte copies[Sweep::inputs][block_type::size * widest];
        const index_t filled = std::min(a.n, block_type::size);
        for_indices<Sweep::inputs>([&](auto k) {
            constexpr index_t bytes = lanes * sizeof(typename Sweep::template input_type<k()>);
            if (in.mask[k()] == 0)
                for (index_t i = 0; i < filled; i += lanes)
                    std::memcpy(copies[k()] + i / lanes * bytes, in.at[k()], bytes);
        });
        for (int k = 0; k < Sweep::outputs; ++k) totals[k] = simd<T>(T(0));
        for (index_t first = 0, n; first < a.n; first += n) {
            n = block_type::stretch(a.n - first);
            T* to[Sweep::outputs];
            const std::byte* from[Sweep::inputs];
            bool primal = false;
            for_indices<Sweep::outputs>([&](auto k) {
                to[k()] = block_target<k()>(a, first, block.values[k()]);
                primal = primal || (is_primal<k()>() && to[k()]);
            });
            for_indices<Sweep::inputs>([&](auto k) {
                using U = typename Sweep::template input_type<k()>;
                from[k()] = in.mask[k()] == 0 ? copies[k()] : in.at[k()] + first * index_t(sizeof(U));
            });
            const index_t last = n - lanes;
            for (index_t i = 0;; i = last) {
                do {
                    outputs_type out(a.merge);
                    sweep.template run<simd_domain<T>>(dense_registers<Sweep, T, Inputs::shares>{from, i}, out);
                    store_at<false>(to, i, out, output_indices{});
                    if (primal) store_at<true>(to, i, out, output_indices{});
                    i += lanes;
                } while (i <= last);
                if (i == n) break;
            }
            block.send(a, first, n, totals);
        }
    }
    /// As long as rows are no longer than this they are in the first cache together, and their lanes add up few
    /// elements.
    static constexpr index_t short_total = 32 * lanes;
    /// The totals of a block of rows, a register each: side by side they hide the latency of the addition. Goes on to
    /// the rows behind them; gives where their totals go.
    template <class Inputs>
    RICCI_INLINE static std::byte* run_row_totals(const Sweep& sweep, Inputs& first, const span_args& a,
                                                  const index_t* row_bytes, std::byte* totals) {
        Inputs in[row_kernel::block] = {first, first, first, first};
        simd<T> part[row_kernel::block];
        for (int r = 0; r < row_kernel::block; ++r) {
            in[r] = first;
            part[r] = simd<T>(Combine::template identity<T>());
            first.next_row(row_bytes);
        }
        const index_t last = a.n - lanes;
        bool overlaps = false;  // of the last register, lanes that were seen before count no more
        for (index_t i = 0;; i = last, overlaps = true) {
            const simd_mask<T> fresh = simd_mask<T>::load(last_lanes<lanes> + (overlaps ? a.n % lanes : 0));
            for (; i <= last; i += lanes)
                for_indices<row_kernel::block>([&](auto r) {
                    in[r()].i = i;
                    outputs_type out(a.merge);
                    sweep.template run<simd_domain<T>>(in[r()], out);
                    simd<T>& v = out.template at<0>();
                    if (overlaps) [[unlikely]]
                        v = math::select(fresh, v, simd<T>(Combine::template identity<T>()));
                    part[r()] = Combine::join(part[r()], v);
                });
            if (i == a.n || overlaps) break;
        }
        for (int r = 0; r < row_kernel::block; ++r) reinterpret_cast<simd<T>*>(totals)[r] = part[r];
        return totals + row_kernel::block * sizeof(simd<T>);
    }
    /// Blocks of rows, all added to the same row.
    template <class Inputs>
    RICCI_INLINE static void run_row_blocks(const Sweep& sweep, const Inputs& first, const span_args& a) {
        Inputs in[row_kernel::block] = {first, first, first, first};
        for (int r = 1; r < row_kernel::block; ++r)
            for (int n = 0; n < r; ++n) in[r].next_row(a.row_bytes);
        for (int left = a.blocks;;) {
            run_block(sweep, in, a);
            if (--left == 0) return;
            for (int r = 0; r < row_kernel::block; ++r)
                for (int n = 0; n < row_kernel::block; ++n) in[r].next_row(a.row_bytes);
        }
    }
    template <class Inputs>
    RICCI_INLINE static void run_block(const Sweep& sweep, Inputs (&in)[row_kernel::block], const span_args& a) {
        T* const out = reinterpret_cast<T*>(a.out[0]);
        const auto sum_at = [&](index_t i) {
            const auto value = [&](auto r) {
                in[r()].i = i;
                outputs_type one(a.merge);
                sweep.template run<simd_domain<T>>(in[r()], one);
                return one.template at<0>();
            };
            return transform_indices<row_kernel::block>(
                value, [](const auto& p, const auto& q, const auto& r, const auto& s) {
                    return Combine::join(Combine::join(p, q), Combine::join(r, s));
                });
        };
        index_t i = 0;
        for (; i + lanes <= a.n; i += lanes) Combine::join(simd<T>::load(out + i), sum_at(i)).store(out + i);
        if (i == a.n) return;
        const simd_mask<T> fresh = simd_mask<T>::load(last_lanes<lanes> + (a.n - i));
        i = a.n - lanes;
        const simd<T> rest = math::select(fresh, sum_at(i), simd<T>(Combine::template identity<T>()));
        Combine::join(simd<T>::load(out + i), rest).store(out + i);
    }
    template <class Inputs>
    RICCI_INLINE static void run_unrolled(const Sweep& sweep, Inputs& in, const span_args& a, simd<T>& total) {
        constexpr int ways = 4;
        simd<T> part[ways];
        for (int w = 0; w < ways; ++w) part[w] = simd<T>(Combine::template identity<T>());
        for (; in.i + ways * lanes <= a.n; in.i += lanes)
            for_indices<ways>([&](auto w) {
                outputs_type out(a.merge);
                sweep.template run<simd_domain<T>>(in, out);
                part[w()] = Combine::join(part[w()], out.template at<0>());
                if constexpr (w() + 1 < ways) in.i += lanes;
            });
        total = Combine::join(Combine::join(part[0], part[1]), Combine::join(part[2], part[3]));
    }
};

/// A map over n elements, one register or more, into `out`, which may be an input: the loop that one would write, for
/// trees so small that what surrounds it counts. The last register, which overlaps, is computed before anything is
/// written. `inputs` gives those from an element on.
template <class T, class Sweep, class Inputs>
RICCI_INLINE void store_registers(const Sweep& function, const Inputs& inputs,
                                  typename Sweep::template output_type<0>* to, index_t n) {
    const Sweep sweep = function;  // a copy: what a store could change would be computed anew in every step
    const auto step = [&](index_t i) RICCI_INLINE_LAMBDA {
        step_outputs<Sweep, simd_domain<T>, merging::none> results(nullptr);
        sweep.template run<simd_domain<T>>(inputs(i), results);
        return results.template at<0>();
    };
    constexpr index_t lanes = simd<T>::lanes;
    const auto last = step(n - lanes);
    index_t i = 0;
    for (; i < n - 2 * lanes;
         i += 2 * lanes) {  // by one, it takes twice as long wherever the compiler puts it unluckily
        store_lanes(step(i), to + i);
        store_lanes(step(i + lanes), to + i + lanes);
    }
    if (i < n - lanes) store_lanes(step(i), to + i);
    store_lanes(last, to + (n - lanes));
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
