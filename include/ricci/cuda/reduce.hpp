// Reductions on the device: each thread accumulates a share of one output's elements, and joins follow until one is
// left. Nothing of the iteration space's size is written, nothing returns to the host, and the result does not depend
// on timing.
#pragma once
#include "groups.hpp"
#include "kernel.hpp"

namespace ricci::detail {

/// How a reduction of `kept` outputs over `reduced` elements each is shared out: output m is split into shares s, a
/// thread each, of which groups of `lanes` join what they have before it is written.
struct share_plan {
#if defined(RICCI_HAS_GPU)
    static constexpr index_t threads = index_t(1) << 20, least = 32;
    static constexpr bool interleaved = true;  // neighbouring threads read neighbouring elements
#else
    static constexpr index_t threads = 256, least = 4096;
    static constexpr bool interleaved = false;  // a thread reads a block
#endif
    index_t kept, shares = 1;
    int lanes = 1, lane_bits = 0;
    bool shares_inside;  // neighbouring indices are shares of one output, not outputs
    divisor inner;       // the number of these

    /// Threads read `at_once` elements at a time.
    share_plan(index_t kept_count, index_t reduced, bool reduced_inside, [[maybe_unused]] int at_once)
        : kept(kept_count), shares_inside(reduced_inside) {
        const index_t most = threads / (kept > 0 ? kept : 1), wanted = reduced / least < most ? reduced / least : most;
#if defined(RICCI_HAS_GPU)
        if (reduced_inside) {
            const bool by_blocks = reduced >= 4096 || (reduced >= 512 && kept <= 1024);
            int n = 1;
            while (!by_blocks && n < warp_threads && 2 * n * at_once <= reduced) n *= 2;
            if (by_blocks) n = block_threads;
            share_out(by_blocks && wanted > n ? wanted / n * n : n, n);
            return;
        }
#endif
        share_out(wanted > 1 ? wanted : 1, 1);
    }
    /// The plan that joins the parts of this one.
    share_plan next() const {
        share_plan p = *this;
#if defined(RICCI_HAS_GPU)
        if (shares_inside || kept < 4096) {
            p.shares_inside = true;
            const int n = parts() > warp_threads ? block_threads : warp_threads;
            p.share_out(n, n);
            return p;
        }
#endif
        p.share_out((parts() + 63) / 64, 1);
        return p;
    }
    /// How many totals of an output are written.
    index_t parts() const { return shares >> lane_bits; }
    RICCI_HD index_t output(index_t thread) const {
        const index_t outer = inner.quotient(thread);
        return shares_inside ? outer : thread - outer * inner.value;
    }
    RICCI_HD index_t share(index_t thread) const {
        const index_t outer = inner.quotient(thread);
        return shares_inside ? thread - outer * inner.value : outer;
    }
    /// Where a part is among all, and where that of a thread is.
    RICCI_HD index_t place(index_t output, index_t part) const {
        return shares_inside ? output * (shares >> lane_bits) + part : part * kept + output;
    }
    RICCI_HD index_t place(index_t thread) const { return thread >> lane_bits; }
    RICCI_HD bool is_first(index_t thread) const { return (thread & (lanes - 1)) == 0; }
    RICCI_HD bool is_whole() const { return shares == lanes; }

   private:
    void share_out(index_t count, int lane_count) {
        shares = count;
        lanes = lane_count;
        for (lane_bits = 0; 1 << lane_bits < lanes;) ++lane_bits;
        inner = divisor(shares_inside ? shares : kept > 0 ? kept : 1);
    }
};

/// What a pass over the iteration space does with an output.
enum class pass_mode : unsigned char { skip, store, reduce };

template <class Sweep, int Rank, class Combine>
struct reduce_kernel {
    static constexpr int outputs = Sweep::outputs, operands = Sweep::inputs + outputs;
    using loaded = typename bound_sweep<Sweep>::loaded;
    static constexpr int at_once = loaded::bytes <= 4 ? 8 : loaded::bytes <= 8 ? 4 : loaded::bytes <= 16 ? 2 : 1;
    template <int K>
    using accumulator = wide_accumulator<Combine, typename bound_sweep<Sweep>::template output_lane<K>>;

    bound_sweep<Sweep> bound;
    strided_loop<operands, Rank> kept, reduced;
    share_plan plan;
    pass_mode mode[outputs];
    void* partial[outputs];  // accumulators, one for each part, when outputs are shared

    RICCI_HD auto begin() const {
        return generate<outputs>([](auto k) { return accumulator<k()>(); });
    }
    template <class Totals>
    RICCI_HD void gather(index_t thread, Totals& totals) const {
        index_t base[operands] = {};
        kept.add_offsets(plan.output(thread), base);
        const index_t share = plan.share(thread);
        if constexpr (share_plan::interleaved) add_elements(base, share, plan.shares, reduced.count, totals);
        else add_elements(base, block_begin(share), 1, block_begin(share + 1), totals);
    }
    template <class Totals>
    RICCI_HD void finish(index_t thread, const Totals& totals) const {
        index_t base[operands] = {};
        kept.add_offsets(plan.output(thread), base);
        for_indices<outputs>([&](auto k) {
            if (mode[k()] != pass_mode::reduce) return;
            const auto& total = get<k()>(totals);
            if (plan.is_whole()) bound.template store<k()>(base[Sweep::inputs + k()], total.result());
            else static_cast<accumulator<k()>*>(partial[k()])[plan.place(thread)] = total;
        });
    }

   private:
    RICCI_HD index_t block_begin(index_t share) const {
        const index_t size = reduced.count / plan.shares, rest = reduced.count % plan.shares;
        return share * size + (share < rest ? share : rest);
    }
    /// The elements first, first + step ..., before `end`.
    template <class Totals>
    RICCI_HD RICCI_INLINE void add_elements(const index_t (&base)[operands], index_t first, index_t step, index_t end,
                                            Totals& totals) const {
        index_t i = first;
        if constexpr (at_once > 1)
            if (reduced.rank <= 1) add_whole_steps(base, i, step, end, totals);
        while (i < end) {
            loaded x[at_once];
            RICCI_UNROLL
            for (int n = 0; n < at_once; ++n)
                if (i + n * step < end) x[n] = load(base, i + n * step);
            for_each_in_registers<true>(x, [&](const loaded& p) {
                if (i < end) add_element(p, base, i, totals);
                i += step;
            });
        }
    }
    /// As many times `at_once` elements as there are, along a single axis; i comes to be the first that is left.
    template <class Totals>
    RICCI_HD RICCI_INLINE void add_whole_steps(const index_t (&base)[operands], index_t& i, index_t step, index_t end,
                                               Totals& totals) const {
        index_t at[operands], jump[operands];
        for_indices<operands>([&](auto o) {
            const index_t stride = reduced.rank > 0 ? reduced.stride[0][o()] : 0;
            at[o()] = base[o()] + i * stride;
            jump[o()] = step * stride;
        });
        while (i + (at_once - 1) * step < end) {
            loaded x[at_once];
            RICCI_UNROLL
            for (int n = 0; n < at_once; ++n) {
                x[n] = bound.load(at);
                for_indices<operands>([&](auto o) { at[o()] += jump[o()]; });
            }
            for_each_in_registers<is_long_v<Sweep>>(x, [&](const loaded& p) {
                add_element(p, base, i, totals);
                i += step;
            });
        }
    }
    RICCI_HD RICCI_INLINE loaded load(const index_t (&base)[operands], index_t i) const {
        index_t offset[operands];
        for_indices<operands>([&](auto o) { offset[o()] = base[o()]; });
        reduced.add_offsets(i, offset);
        return bound.load(offset);
    }
    /// What is computed of the i-th inputs.
    template <class Totals>
    RICCI_HD RICCI_INLINE void add_element(const loaded& x, const index_t (&base)[operands], index_t i,
                                           Totals& totals) const {
        typename bound_sweep<Sweep>::values y(bound.merge);
        bound.evaluate(x, y);
        for_indices<outputs>([&](auto k) {
            if (mode[k()] == pass_mode::reduce) {
                get<k()>(totals).add(y.template at<k()>());
            } else if (mode[k()] == pass_mode::store) {
                index_t offset[operands] = {};
                reduced.add_offsets(i, offset);
                bound.template store<k()>(base[Sweep::inputs + k()] + offset[Sweep::inputs + k()],
                                          y.template at<k()>());
            }
        });
    }
};

/// Joins the parts of each output: into fewer, or into the result, whose elements lie in the order of the kept axes.
template <class Combine, class T>
struct join_kernel {
    static constexpr int outputs = 1;
    using accumulator = wide_accumulator<Combine, T>;
    const accumulator* from;
    accumulator* to;
    T* result;
    share_plan before, plan;

    RICCI_HD auto begin() const { return pack<accumulator>(); }
    RICCI_HD void gather(index_t thread, pack<accumulator>& total) const {
        const index_t m = plan.output(thread);
        for (index_t s = plan.share(thread); s < before.shares >> before.lane_bits; s += plan.shares)
            get<0>(total).add(from[before.place(m, s)]);
    }
    RICCI_HD void finish(index_t thread, const pack<accumulator>& total) const {
        if (plan.is_whole()) result[plan.output(thread)] = get<0>(total).result();
        else to[plan.place(thread)] = get<0>(total);
    }
};

template <class Combine, class T>
void join_parts(storage parts, share_plan plan, T* result) {
    using accumulator = wide_accumulator<Combine, T>;
    while (!plan.is_whole()) {
        const share_plan next = plan.next();
        storage joined;
        if (!next.is_whole())
            joined = cuda_device::allocate(static_cast<std::size_t>(plan.kept * next.parts()) * sizeof(accumulator));
        launch_groups(plan.kept * next.shares,
                      join_kernel<Combine, T>{static_cast<const accumulator*>(parts.data()),
                                              static_cast<accumulator*>(joined.data()), result, plan, next});
        parts = std::move(joined);
        plan = next;
    }
}

/// One pass over the iteration space: reduces the outputs of mode reduce, which share their reduced axes, and writes
/// those of mode store.
template <class Combine, class Sweep, int Rank>
void reduce_group(const bound_sweep<Sweep>& bound, const axis_table<Sweep::inputs + Sweep::outputs, Rank>& axes,
                  const shape<Rank>& padded, const pass_mode* mode) {
    using kernel_type = reduce_kernel<Sweep, Rank, Combine>;
    strided_loop<kernel_type::operands, Rank> kept, reduced;
    for (int d = 0; d < Rank; ++d) (padded[d] == axes.extent[d] ? kept : reduced).append(axes.extent[d], axes.step[d]);
    const share_plan plan(kept.count, reduced.count,
                          reduced.unit_strides(Sweep::inputs) >= kept.unit_strides(Sweep::inputs),
                          kernel_type::at_once);
    kernel_type kernel{bound, kept, reduced, plan, {}, {}};
    storage partial[Sweep::outputs];
    for_indices<Sweep::outputs>([&](auto k) {
        kernel.mode[k()] = mode[k()];
        if (mode[k()] != pass_mode::reduce || plan.is_whole()) return;
        partial[k()] = cuda_device::allocate(static_cast<std::size_t>(plan.kept * plan.parts()) *
                                             sizeof(typename kernel_type::template accumulator<k()>));
        kernel.partial[k()] = partial[k()].data();
    });
    launch_groups(plan.kept * plan.shares, kernel);
    for_indices<Sweep::outputs>([&](auto k) {
        using T = typename bound_sweep<Sweep>::template output_lane<k()>;
        if (partial[k()]) join_parts<Combine>(std::move(partial[k()]), plan, static_cast<T*>(bound.out[k()]));
    });
}

/// Computes a sweep whose outputs may be reduced: one pass for each set of reduced axes, the first of which writes the
/// outputs that are not reduced too.
template <class Combine, class Sweep, int Rank>
void run_reducing(const bound_sweep<Sweep>& bound, const axis_table<Sweep::inputs + Sweep::outputs, Rank>& axes,
                  const shape<Rank>* padded) {
    constexpr int n = Sweep::outputs;
    shape<Rank> full;
    for (int d = 0; d < Rank; ++d) full[d] = axes.extent[d];
    pass_mode mode[n];
    bool open[n];
    for (int k = 0; k < n; ++k) {
        open[k] = bound.merge[k] == k && padded[k] != full;
        mode[k] = bound.merge[k] == k && !open[k] ? pass_mode::store : pass_mode::skip;
    }
    bool passed = false;
    for (int first = 0; first < n; ++first) {
        if (!open[first]) continue;
        for (int k = first; k < n; ++k) {
            if (!open[k] || padded[k] != padded[first]) continue;
            mode[k] = pass_mode::reduce;
            open[k] = false;
        }
        reduce_group<Combine>(bound, axes, padded[first], mode);
        for (int k = 0; k < n; ++k) mode[k] = pass_mode::skip;
        passed = true;
    }
    if (passed) return;
    if constexpr (Sweep::reverse) run_elements(bound, axes);
    else reduce_group<Combine>(bound, axes, full, mode);  // as rare as a sum over nothing: no kernel of its own
}

}  // namespace ricci::detail
