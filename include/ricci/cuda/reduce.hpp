// Reductions on the device: each thread accumulates a share of one output's elements, and joins follow until one is left.
// Nothing of the iteration space's size is written, nothing returns to the host, and the result does not depend on timing.
#pragma once
#include "kernel.hpp"

namespace ricci::detail {

/// How a reduction of `kept` outputs over `reduced` elements each is shared out: output m is split into shares s.
struct share_plan {
#if defined(RICCI_HAS_GPU)
    static constexpr index_t threads = index_t(1) << 17, least = 16, unit = 32;
    static constexpr bool interleaved = true;  // neighbouring threads read neighbouring elements
#else
    static constexpr index_t threads = 256, least = 4096, unit = 1;
    static constexpr bool interleaved = false;  // a thread reads a block
#endif
    index_t kept, shares = 1;
    bool shares_inside;  // neighbouring indices are shares of one output, not outputs

    share_plan(index_t kept_count, index_t reduced, bool reduced_inside)
        : kept(kept_count), shares_inside(reduced_inside) {
        index_t most = threads / (kept > 0 ? kept : 1);
        if (unit > 1 && reduced_inside && most < unit && reduced >= unit * least) most = unit;
        shares = reduced / least < most ? reduced / least : most;
        shares = shares < 2 ? 1 : (shares + unit - 1) / unit * unit;
    }
    RICCI_HD index_t output(index_t thread) const { return shares_inside ? thread / shares : thread % kept; }
    RICCI_HD index_t share(index_t thread) const { return shares_inside ? thread % shares : thread / kept; }
    RICCI_HD index_t thread(index_t output, index_t share) const {
        return shares_inside ? output * shares + share : share * kept + output;
    }
};

/// What a pass over the iteration space does with an output.
enum class pass_mode : unsigned char { skip, store, reduce };

template <class Sweep, int Rank, class Combine>
struct reduce_kernel {
    static constexpr int outputs = Sweep::outputs, operands = Sweep::inputs + outputs;
    template <int K>
    using accumulator = wide_accumulator<Combine, typename bound_sweep<Sweep>::template output_lane<K>>;

    bound_sweep<Sweep> bound;
    strided_loop<operands, Rank> kept, reduced;
    share_plan plan;
    pass_mode mode[outputs];
    void* partial[outputs];  // accumulators, one for each thread, when outputs are shared

    RICCI_HD void operator()(index_t thread) const {
        index_t base[operands] = {};
        kept.add_offsets(plan.output(thread), base);
        auto totals = generate<outputs>([](auto k) { return accumulator<k()>(); });
        const index_t share = plan.share(thread);
        if constexpr (share_plan::interleaved) {
            for (index_t i = share; i < reduced.count; i += plan.shares) add_element(base, i, totals);
        } else {
            const index_t end = block_begin(share + 1);
            for (index_t i = block_begin(share); i < end; ++i) add_element(base, i, totals);
        }
        for_indices<outputs>([&](auto k) {
            if (mode[k()] != pass_mode::reduce) return;
            const auto& total = get<k()>(totals);
            if (plan.shares == 1) bound.template store<k()>(base, total.result());
            else static_cast<accumulator<k()>*>(partial[k()])[thread] = total;
        });
    }

   private:
    RICCI_HD index_t block_begin(index_t share) const {
        const index_t size = reduced.count / plan.shares, rest = reduced.count % plan.shares;
        return share * size + (share < rest ? share : rest);
    }
    template <class Totals>
    RICCI_HD RICCI_INLINE void add_element(const index_t (&base)[operands], index_t i, Totals& totals) const {
        index_t offset[operands];
        for_indices<operands>([&](auto o) { offset[o()] = base[o()]; });
        reduced.add_offsets(i, offset);
        typename bound_sweep<Sweep>::values y(bound.merge);
        bound.evaluate(offset, y);
        for_indices<outputs>([&](auto k) {
            if (mode[k()] == pass_mode::reduce) get<k()>(totals).add(y.template at<k()>());
            else if (mode[k()] == pass_mode::store) bound.template store<k()>(offset, y.template at<k()>());
        });
    }
};

/// Joins the shares of each output: into fewer, or into the result.
template <class Combine, class T>
struct join_kernel {
    using accumulator = wide_accumulator<Combine, T>;
    const accumulator* from;
    accumulator* to;
    T* result;
    share_plan before, after;

    RICCI_HD void operator()(index_t thread) const {
        const index_t m = after.output(thread);
        accumulator total;
        for (index_t s = after.share(thread); s < before.shares; s += after.shares)
            total.add(from[before.thread(m, s)]);
        if (after.shares == 1) result[m] = total.result();
        else to[thread] = total;
    }
};

/// The shares of one output, joined into its elements, which lie in the order of the kept axes.
template <class Combine, class T>
void join_shares(storage shares, share_plan plan, T* result) {
    using accumulator = wide_accumulator<Combine, T>;
    constexpr index_t at_once = 64;
    while (plan.shares > 1) {
        share_plan after = plan;
        after.shares = (plan.shares + at_once - 1) / at_once;
        storage joined;
        if (after.shares > 1)
            joined = cuda_device::allocate(static_cast<std::size_t>(plan.kept * after.shares) * sizeof(accumulator));
        launch(plan.kept * after.shares,
               join_kernel<Combine, T>{static_cast<const accumulator*>(shares.data()),
                                       static_cast<accumulator*>(joined.data()), result, plan, after});
        shares = std::move(joined);
        plan = after;
    }
}

/// One pass over the iteration space: reduces the outputs of mode reduce, which share their reduced axes, and writes those
/// of mode store.
template <class Combine, class Sweep, int Rank>
void reduce_group(const bound_sweep<Sweep>& bound, const axis_table<Sweep::inputs + Sweep::outputs, Rank>& axes,
                  const shape<Rank>& padded, const pass_mode* mode) {
    using kernel_type = reduce_kernel<Sweep, Rank, Combine>;
    strided_loop<kernel_type::operands, Rank> kept, reduced;
    for (int d = 0; d < Rank; ++d) (padded[d] == axes.extent[d] ? kept : reduced).append(axes.extent[d], axes.step[d]);
    const share_plan plan(kept.count, reduced.count,
                          reduced.unit_strides(Sweep::inputs) >= kept.unit_strides(Sweep::inputs));
    kernel_type kernel{bound, kept, reduced, plan, {}, {}};
    storage partial[Sweep::outputs];
    for_indices<Sweep::outputs>([&](auto k) {
        kernel.mode[k()] = mode[k()];
        if (mode[k()] != pass_mode::reduce || plan.shares == 1) return;
        partial[k()] = cuda_device::allocate(static_cast<std::size_t>(plan.kept * plan.shares) *
                                             sizeof(typename kernel_type::template accumulator<k()>));
        kernel.partial[k()] = partial[k()].data();
    });
    launch(plan.kept * plan.shares, kernel);
    for_indices<Sweep::outputs>([&](auto k) {
        using T = typename bound_sweep<Sweep>::template output_lane<k()>;
        if (partial[k()]) join_shares<Combine>(std::move(partial[k()]), plan, static_cast<T*>(bound.out[k()]));
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
