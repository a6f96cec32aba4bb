// Rows of kernels: the function that evaluates a sweep along one row, on SIMD registers.
#pragma once
#include <algorithm>
#include <array>

#include "loop.hpp"
#include "row_inputs.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Runs a span, or those of a sheet's rows; leaves the sums (maxima, ...) of outputs in mode total in totals, one register
/// each, one row after the other.
using span_function = void (*)(const void* sweep, const span_args& args, std::byte* totals);

template <class Sweep, class T, merging Merge, class Combine>
struct simd_span {
    using outputs_type = step_outputs<Sweep, simd_domain<T>, Merge == merging::table ? merging::none : Merge>;
    static constexpr int lanes = simd<T>::lanes;

    template <int K>
    RICCI_INLINE static constexpr bool is_group() {
        return outputs_type::template group<K>() == K;
    }

    RICCI_FLATTEN static void run(const void* self, const span_args& args, std::byte* totals) {
        if constexpr (divisor_inputs<Sweep, T>() != 0)
            if (dividing_inputs<Sweep, T>::fit(args)) return run_rows<dividing_inputs<Sweep, T>>(self, args, totals);
        run_rows<simd_inputs<Sweep, T, Merge>>(self, args, totals);
    }

   private:
    template <class Inputs>
    RICCI_INLINE static void run_rows(const void* self, const span_args& args, std::byte* totals) {
        const Sweep sweep = *static_cast<const Sweep*>(self);
        Inputs in(args);
        // copies: a store could change what args point to, for all that the compiler knows
        std::byte* out_at[Sweep::outputs];
        output_mode mode[Sweep::outputs];
        for (int k = 0; k < Sweep::outputs; ++k) {
            out_at[k] = args.out[k];
            mode[k] = args.mode[k];
        }
        const span_args a{args.n, nullptr, nullptr, out_at, mode, args.merge, args.rows > 1 ? nullptr : args.row_bytes};
        for (int left = args.rows;;) {
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
        (void(is_group<K>() && (store_lanes(out.template at<K>(),
                                            reinterpret_cast<typename Sweep::template output_type<K>*>(a.out[K]) + i),
                                true)),
         ...);
    }

   public:
    /// Cheap sums want several accumulators, to hide the latency of the addition, and rows added to others block by block.
    static constexpr bool unrolled =
        Sweep::outputs == 1 && tree_cost_v<typename Sweep::tree_type> <= 4 && Sweep::order == 0;

   private:
    /// Where a register takes so few instructions, the branches by the outputs' modes are most of its time.
    static constexpr bool asks_once = !unrolled && Sweep::outputs <= 4 && tree_cost_v<typename Sweep::tree_type> <= 4;
    /// Where a register takes more, inputs are moved on by an addition each, in place of a copy of the index and a mask; that
    /// takes longer at the ends of rows.
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
    /// Gradients need all registers for their constants, and most of them sum nothing; those of a function or two have room for
    /// the value, too.
    static constexpr bool totals_in_registers =
        !Sweep::reverse || asks_once || unrolled ||
        (Sweep::order == 0 && Sweep::outputs <= 2 && tree_cost_v<typename Sweep::tree_type> <= 24);
    template <class Inputs>
    RICCI_INLINE static void run_reducing(const Sweep& sweep, Inputs& in, const span_args& a, simd<T>* totals) {
        simd<T> here[Sweep::outputs];
        simd<T>* const total = totals_in_registers ? here : totals;
        for (int k = 0; k < Sweep::outputs; ++k) total[k] = simd<T>(Combine::template identity<T>());
        if constexpr (unrolled) {
            if (a.row_bytes) return run_block(sweep, in, a);
            if (a.mode[0] == output_mode::store) return run_storing(sweep, in, a);
            if (a.mode[0] == output_mode::total) run_unrolled(sweep, in, a, total[0]);
        }
        if constexpr (asks_once) {
            const output_mode mode = a.mode[0];
            if (are_all(mode, a.mode, output_indices{})) {
                if (mode == output_mode::total) run_alike<output_mode::total>(sweep, in, a, total);
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
    template <int... K>
    RICCI_INLINE static bool are_all(output_mode mode, const output_mode* modes, std::integer_sequence<int, K...>) {
        return ((!is_group<K>() || modes[K] == mode) && ...);
    }
    /// All whole registers of outputs that are in one mode.
    template <output_mode Mode, class Inputs>
    RICCI_INLINE static void run_alike(const Sweep& sweep, Inputs& in, const span_args& a, simd<T>* total) {
        std::byte* to[Sweep::outputs];
        for (int k = 0; k < Sweep::outputs; ++k) to[k] = a.out[k];
        for (const index_t last = a.n - lanes; in.i <= last; in.i += lanes) {
            outputs_type out(a.merge);
            sweep.template run<simd_domain<T>>(in, out);
            for_indices<Sweep::outputs>([&](auto k) {
                if constexpr (is_group<k()>())
                    reduce(Mode, reinterpret_cast<T*>(to[k()]), in.i, out.template at<k()>(), total[k()]);
            });
        }
    }
    /// Gradients do so much for each element that few loads are under way at a time; the processor sees too late what comes.
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
        (void(is_group<K>() && (cut(a.mode[K], out.template at<K>()), true)), ...);
    }
    template <int... K>
    RICCI_INLINE static void reduce(const span_args& a, index_t i, outputs_type& out, simd<T>* total,
                                    std::integer_sequence<int, K...>) {
        (void(is_group<K>() &&
              (reduce(a.mode[K], reinterpret_cast<T*>(a.out[K]), i, out.template at<K>(), total[K]), true)),
         ...);
    }
    /// `out` is null where nothing is written.
    RICCI_INLINE static void reduce(output_mode mode, T* out, index_t i, const simd<T>& v, simd<T>& total) {
        if (mode == output_mode::store) v.store(out + i);
        else if (mode == output_mode::total) total = Combine::join(total, v);
        else if (mode == output_mode::add) Combine::join(simd<T>::load(out + i), v).store(out + i);
    }
    /// Of duals, values are often unasked: a branch takes less than a store.
    static constexpr bool writes_all = Sweep::order == 0;
    template <int... K>
    RICCI_INLINE static void store_at(T* const* to, index_t i, outputs_type& out, std::integer_sequence<int, K...>) {
        (void((writes_all || to[K]) && (out.template at<K>().store(to[K] + i), true)), ...);
    }
    /// Where a block's values of output k go; null where nobody reads them.
    RICCI_INLINE static T* block_target(const span_args& a, int k, index_t first, T* values) {
        if (output_block<T, Sweep::outputs>::is_direct(a, k)) return reinterpret_cast<T*>(a.out[k]) + first;
        return !writes_all && a.mode[a.merge[k]] == output_mode::skip ? nullptr : values;
    }
    /// One body for all registers: the last one overlaps the one before it, in a block that is never shorter than one. What stays
    /// put along the row is copied for a block: then one index goes for all inputs and outputs, and none has a mask.
    template <class Inputs>
    RICCI_INLINE static void run_blocks(const Sweep& sweep, const Inputs& in, const span_args& a, simd<T>* totals) {
        static_assert(std::is_same_v<Combine, combine_plus>);
        using block_type = output_block<T, Sweep::outputs>;
        block_type block;
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
            for (int k = 0; k < Sweep::outputs; ++k) to[k] = block_target(a, k, first, block.values[k]);
            for_indices<Sweep::inputs>([&](auto k) {
                using U = typename Sweep::template input_type<k()>;
                from[k()] = in.mask[k()] == 0 ? copies[k()] : in.at[k()] + first * index_t(sizeof(U));
            });
            for (index_t i = 0;;) {
                outputs_type out(a.merge);
                sweep.template run<simd_domain<T>>(dense_registers<Sweep, T>{from, i}, out);
                store_at(to, i, out, output_indices{});
                if ((i += lanes) >= n) break;
                if (i + lanes > n) i = n - lanes;
            }
            block.send(a, first, n, totals);
        }
    }
    /// A block of rows added to the same row.
    template <class Inputs>
    RICCI_INLINE static void run_block(const Sweep& sweep, const Inputs& first, const span_args& a) {
        Inputs in[row_kernel::block] = {first, first, first, first};
        for (int r = 1; r < row_kernel::block; ++r)
            for (int n = 0; n < r; ++n) in[r].next_row(a.row_bytes);
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

/// A map over n elements, one register or more, into `out`, which may be an input: the loop that one would write, for trees so
/// small that what surrounds it counts. The last register, which overlaps, is computed before anything is written.
/// `inputs` gives those from an element on.
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

/// What a row needs to know of a kernel to run spans; the code of rows itself is shared by all kernels of one lane type.
struct simd_kernel {
    const void* sweep;
    span_function span;
    int inputs, outputs;
    const unsigned char* input_item;  // bytes of an element: sizeof(T), or fewer of truth values, halves and integers
    const unsigned char* output_item;
    bool blocks = false;  // merging::table
};

template <class T, class Combine>
struct simd_row {
    static constexpr int lanes = simd<T>::lanes;
    static constexpr int most = max_operands;
    using wide = wide_accumulator<std::conditional_t<std::is_void_v<Combine>, combine_plus, Combine>, T>;

    static void run(const void* self, const row_args& r);
    /// One row, which is all that loops over one axis ask for.
    static void run_row(const void* self, const row_args& r);
    /// What the lanes of a register hold to an accumulator.
    static RICCI_INLINE void add_total(const simd<T>& total, void* to) {
        wide& w = *static_cast<wide*>(to);
        if constexpr (std::is_same_v<Combine, combine_plus>) {
            w.add(reduce_add(total));
        } else {
            T lane[lanes];
            total.store(lane);
            for (int j = 0; j < lanes; ++j) w.add(lane[j]);
        }
    }

   private:
    /// Rows of at least one register, as many at a time as there is room for copies of what stays put along them.
    static void run_sheet(const simd_kernel& k, const row_args& r) {
        constexpr index_t bytes = lanes * sizeof(T);
        alignas(64) std::byte copies[most][bytes];
        std::byte *in[most], *out[most];
        index_t mask[most], row_bytes[most];
        int registers = std::is_void_v<Combine> ? 0 : k.outputs;
        for (int i = 0; i < k.inputs; ++i) {
            const bool still = r.in_step[i] == 0;
            registers += still;
            mask[i] = still ? 0 : -1;
            row_bytes[i] = still && r.row_bytes[i] != 0 ? bytes : r.row_bytes[i];
        }
        for (int o = k.inputs; o < k.inputs + k.outputs; ++o) row_bytes[o] = r.row_bytes[o];
        const int together = registers == 0 ? r.rows : std::max(1, most / registers);
        const bool any_total = std::find(r.mode, r.mode + k.outputs, output_mode::total) != r.mode + k.outputs;
        alignas(64) std::byte totals[most * sizeof(simd<T>)];
        for (int row = 0; row < r.rows; row += together) {
            const int rows = std::min(together, r.rows - row);
            std::byte* copy = copies[0];
            for (int i = 0; i < k.inputs; ++i) {
                std::byte* const from = r.in[i] + row * r.row_bytes[i];
                in[i] = mask[i] == 0 ? copy : from;
                if (mask[i] != 0) continue;
                copy = fill_registers(k.input_item[i], from, r.row_bytes[i], row_bytes[i] == 0 ? 1 : rows, copy);
            }
            for (int o = 0; o < k.outputs; ++o) out[o] = r.out[o] + row * row_bytes[k.inputs + o];
            k.span(k.sweep, span_args{r.n, in, mask, out, r.mode, r.merge, rows > 1 ? row_bytes : nullptr, rows},
                   totals);
            if constexpr (!std::is_void_v<Combine>)
                if (any_total) add_totals(k, r, totals, row, rows);
        }
    }
    /// A register of copies of an element of `item` bytes for each of so many rows; gives where the next one goes.
    static RICCI_INLINE std::byte* fill_registers(index_t item, const std::byte* from, index_t apart, int rows,
                                                  std::byte* to) {
        constexpr index_t bytes = lanes * sizeof(T);
        if (item == sizeof(T)) {
            for (; rows > 0; --rows, from += apart, to += bytes)
                simd<T>(*reinterpret_cast<const T*>(from)).store(reinterpret_cast<T*>(to));
            return to;
        }
        for (; rows > 0; --rows, from += apart, to += bytes) {
            if (item == 1) std::memset(to, *reinterpret_cast<const unsigned char*>(from), lanes);
            else
                for (int i = 0; i < lanes; ++i) std::memcpy(to + item * i, from, static_cast<std::size_t>(item));
        }
        return to;
    }
    static void run_one_by_one(const void* self, row_args r) {
        std::byte *in[most], *out[most];
        const bool sheet = r.sheet;
        const int rows = r.rows, inputs = static_cast<const simd_kernel*>(self)->inputs;
        const int outputs = static_cast<const simd_kernel*>(self)->outputs;
        r.rows = 1;
        r.sheet = false;
        for (int row = 0; row < rows; ++row) {
            for (int i = 0; i < inputs; ++i) in[i] = r.in[i] + row * r.row_bytes[i];
            for (int o = 0; o < outputs; ++o) out[o] = r.out[o] + (sheet ? row * r.row_bytes[inputs + o] : 0);
            row_args one = r;
            one.in = in;
            one.out = out;
            run_row(self, one);
        }
    }
    static bool writes_over_input(const simd_kernel& k, const row_args& r) {
        if constexpr (std::is_void_v<Combine>) {
            for (int i = 0; i < k.inputs; ++i)
                if (r.in[i] == r.out[0]) return true;
        }
        return false;
    }

    /// The totals of some rows to where they are added up.
    static void add_totals(const simd_kernel& k, const row_args& r, const std::byte* totals, int first = 0,
                           int rows = 1) {
        for (int o = 0; o < k.outputs; ++o) {
            if (r.mode[o] != output_mode::total) continue;
            const index_t apart = r.row_bytes ? r.row_bytes[k.inputs + o] : 0;
            const simd<T>* total = reinterpret_cast<const simd<T>*>(totals) + o;
            std::byte* to = r.out[o] + first * apart;
            for (int row = 0; row < rows; ++row, total += k.outputs, to += apart) add_total(*total, to);
        }
    }
    /// The last, partial register: through buffers, so that the same code computes it and nothing is read or written beyond.
    static void tail(const simd_kernel& k, const row_args& r, std::byte* const* from, const index_t* from_mask,
                     index_t at, std::byte* totals) {
        const index_t rest = r.n - at;
        alignas(64) std::byte buffer[most][lanes * sizeof(T)];
        alignas(64) std::byte results[most][lanes * sizeof(T)];
        std::byte* in[most];
        std::byte* out[most];
        output_mode store_all[most];
        for (int i = 0; i < k.inputs; ++i) {
            in[i] = from[i];
            if (from_mask[i] == 0) continue;
            in[i] = buffer[i];
            if (k.input_item[i] == sizeof(T)) {
                simd<T>::load_partial(reinterpret_cast<const T*>(from[i]) + at, rest)
                    .store(reinterpret_cast<T*>(buffer[i]));
            } else {
                const index_t item = k.input_item[i];
                std::memset(buffer[i], 0, sizeof buffer[i]);
                std::memcpy(buffer[i], from[i] + at * item, static_cast<std::size_t>(rest * item));
            }
        }
        for (int o = 0; o < k.outputs; ++o) {
            out[o] = results[o];
            store_all[o] = output_mode::store;
        }
        k.span(k.sweep, span_args{lanes, in, from_mask, out, store_all, r.merge}, totals);
        // outputs that are stored first: others may add to the same elements
        for (const bool stores : {true, false})
            for (int o = 0; o < k.outputs; ++o)
                if ((r.mode[o] == output_mode::store) == stores) put_tail(k, r, o, results[o], at, rest);
    }
    static void put_tail(const simd_kernel& k, const row_args& r, int o, const std::byte* result, index_t at,
                         index_t rest) {
        if (r.mode[o] == output_mode::skip) return;
        if (const index_t item = k.output_item[o]; item != sizeof(T)) {
            std::memcpy(r.out[o] + at * item, result, static_cast<std::size_t>(rest * item));
            return;
        }
        const T* v = reinterpret_cast<const T*>(result);
        T* to = reinterpret_cast<T*>(r.out[o]) + at;
        if (r.mode[o] == output_mode::store) {
            simd<T>::load(v).store_partial(to, rest);
        } else if constexpr (!std::is_void_v<Combine>) {
            if (r.mode[o] == output_mode::total)
                for (index_t j = 0; j < rest; ++j) reinterpret_cast<wide*>(r.out[o])->add(v[j]);
            else Combine::join(simd<T>::load_partial(to, rest), simd<T>::load(v)).store_partial(to, rest);
        }
    }
};

template <class T, class Combine>
void simd_row<T, Combine>::run(const void* self, const row_args& r) {
    const simd_kernel& k = *static_cast<const simd_kernel*>(self);
    if (r.sheet && r.n >= lanes && (r.n % lanes == 0 || !writes_over_input(k, r))) return run_sheet(k, r);
    if (r.sheet || (r.rows > 1 && r.n < lanes)) return run_one_by_one(self, r);
    run_row(self, r);
}
template <class T, class Combine>
void simd_row<T, Combine>::run_row(const void* self, const row_args& r) {
    const simd_kernel& k = *static_cast<const simd_kernel*>(self);
    alignas(64) std::byte splat[most][lanes * sizeof(T)];
    std::byte* in[most];
    index_t mask[most];
    for (int i = 0; i < k.inputs; ++i) {
        in[i] = r.in[i];
        mask[i] = r.in_step[i] == 0 ? 0 : -1;
        if (r.in_step[i] != 0) continue;
        in[i] = splat[i];
        fill_registers(k.input_item[i], r.in[i], 0, 1, in[i]);
    }
    alignas(64) std::byte totals[most * sizeof(simd<T>)];
    // where an output is written over an input, registers must not overlap: the rest goes through buffers
    const index_t whole = r.n < lanes || writes_over_input(k, r) ? r.n & ~index_t(lanes - 1) : r.n;
    if (whole) {
        std::byte* const* out = r.out;
        const output_mode* mode = r.mode;
        const unsigned char* merge = r.merge;
        RICCI_KEEP_SCALAR(out);
        RICCI_KEEP_SCALAR(mode);
        RICCI_KEEP_SCALAR(merge);
        k.span(k.sweep, span_args{whole, in, mask, out, mode, merge, r.rows > 1 ? r.row_bytes : nullptr}, totals);
        if constexpr (!std::is_void_v<Combine>) add_totals(k, r, totals);
    }
    if (whole < r.n) tail(k, r, in, mask, whole, totals);
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
