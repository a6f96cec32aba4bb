// Binding: from operands whose types are erased to the loop that runs over them. One copy of this code serves all
// kernels.
#pragma once
#include "few_sums.hpp"
#include "loop_axes.hpp"
#include "loop_windows.hpp"
#include "tiles.hpp"

namespace ricci::detail {

template <class T>
std::byte* byte_pointer(T* p) {
    return reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(p));
}
/// Memory, or a tensor, as an operand.
template <class T, int R>
RICCI_INLINE operand_ref refer(T* data, const shape<R>& extents, const shape<R>& strides) {
    static_assert(R <= max_loop_rank, "ricci: rank too high");
    index_t n = 1;
    bool dense = true;
    for (int d = R - 1; d >= 0; --d) {
        dense = dense && (extents[d] == 1 || strides[d] == n);
        n *= extents[d];
    }
    return {byte_pointer(data), extents.extent, strides.extent, R, dense ? n : 0};
}
template <class X>
RICCI_INLINE operand_ref refer(const X& x) {
    return refer(x.data(), x.shape(), x.strides());
}

/// The order of a batch of short rows: axis 0 is the one along which elements lie side by side, and kernels find long
/// rows.
struct batch_order {
    static constexpr index_t short_row = 16, long_batch = 64;

    /// Whether arrays of such extents are better off in it.
    static bool suits(const index_t* extent, int rank) {
        while (rank > 1 && extent[rank - 1] == 1) --rank;
        return rank > 1 && extent[0] >= long_batch && extent[rank - 1] < short_row;
    }
    static void strides(const index_t* extent, int rank, index_t* stride) {
        stride[0] = 1;
        index_t n = extent[0];
        for (int d = rank - 1; d > 0; n *= extent[d--]) stride[d] = n;
    }
    template <int R>
    static shape<R> strides(const shape<R>& extents) {
        shape<R> s;
        if constexpr (R > 0) strides(extents.extent, R, s.extent);
        return s;
    }
};
/// Whether results over these inputs are better written in that order: some input lies so, and none along another axis
/// only.
bool follow_batch(const operand_ref* input, int inputs, int rank);

/// Runs a kernel over its operands, the inputs followed by the outputs, all of which broadcast to one iteration space.
/// Where the space is longer than an output, the output is reduced.
void run_kernel(const row_kernel& kernel, const operand_ref* operands);
/// The same with a home for each output: an output that has one is added into it, which begins as zeros unless it is
/// filled.
void run_kernel_into(const row_kernel& kernel, const operand_ref* operands, const memory_range* homes);
/// Both for operands of one axis, or none: units that have no others compile no more than these need.
void run_line(const row_kernel& kernel, const operand_ref* operands);
void run_line_into(const row_kernel& kernel, const operand_ref* operands, const memory_range* homes);
/// Whichever operands of at most so many axes are run by.
template <int Rank>
RICCI_INLINE void run_over(const row_kernel& kernel, const operand_ref* operands) {
    if constexpr (Rank > 1) run_kernel(kernel, operands);
    else run_line(kernel, operands);
}
template <int Rank>
RICCI_INLINE void run_over_into(const row_kernel& kernel, const operand_ref* operands, const memory_range* homes) {
    if constexpr (Rank > 1) run_kernel_into(kernel, operands, homes);
    else run_line_into(kernel, operands, homes);
}

#if RICCI_ENGINE_BODIES
/// The common case without a nest: n elements in one row, all operands dense (step 1), or the same element throughout
/// (step 0), which for an output means that all is reduced into it.
class flat_loop {
   public:
    explicit flat_loop(const row_kernel& kernel) : kernel_(kernel) {}

    /// False, and nothing done, where it is not that case.
    bool run(const operand_ref* operand) {
        for (int o = 0; o < kernel_.inputs; ++o)
            if (!place(operand[o], o)) return false;
        bool reduces = false;
        for (int k = 0; k < kernel_.outputs; ++k) {
            const int o = kernel_.inputs + k;
            mode_[k] = output_mode::skip;
            at_[o] = nullptr;
            step_[o] = 0;
            if (!kernel_.writes(k)) continue;
            if (!place(operand[o], o)) return false;
            mode_[k] = kernel_.fills(k) ? output_mode::add : output_mode::store;
            reduces = reduces || step_[o] == 0;
        }
        if (reduces && count_ != 1) reduce(operand + kernel_.inputs);
        else run_row(count_);
        return true;
    }

   private:
    bool place(const operand_ref& x, int o) {
        at_[o] = x.data;
        step_[o] = 0;
        if (x.dense == 1) return true;
        if (x.dense == 0 || x.dense > most_flat || (whole_ && !same_extents(x, *whole_))) return false;
        whole_ = &x;
        count_ = x.dense;
        step_[o] = 1;
        return true;
    }
    static bool same_extents(const operand_ref& x, const operand_ref& y) {
        if (x.rank != y.rank || x.dense != y.dense) return false;
        for (int d = x.rank - 1; d > 0; --d)
            if (x.extent[d] != y.extent[d]) return false;
        return true;  // of as many elements
    }
    void run_row(index_t n) const {
        const int inputs = kernel_.inputs;
        kernel_.run(kernel_.function, row_args{n, at_, step_, at_ + inputs, step_ + inputs, mode_, kernel_.merge});
    }
    void reduce(const operand_ref* outputs) {
        alignas(16) std::byte wide[max_operands][32];
        for (int k = 0; k < kernel_.outputs; ++k) {
            const int o = kernel_.inputs + k;
            if (mode_[k] == output_mode::skip || step_[o] != 0) continue;
            kernel_.rules[k]->clear_wide(wide[k], 1);
            if (mode_[k] == output_mode::add) kernel_.rules[k]->flush(at_[o], wide[k], 1);
            mode_[k] = output_mode::total;
            at_[o] = wide[k];
        }
        for (index_t left = count_;;) {
            const index_t n = left < tile ? left : tile;
            run_row(n);
            if ((left -= n) == 0) break;
            advance(n);
        }
        for (int k = 0; k < kernel_.outputs; ++k)
            if (mode_[k] == output_mode::total) kernel_.rules[k]->finish(wide[k], outputs[k].data, 1);
    }
    void advance(index_t n) {
        for (int o = 0; o < kernel_.inputs; ++o) at_[o] += n * step_[o] * static_cast<index_t>(kernel_.copier[o]->size);
        for (int k = 0; k < kernel_.outputs; ++k)
            if (mode_[k] != output_mode::skip && mode_[k] != output_mode::total)
                at_[kernel_.inputs + k] += n * static_cast<index_t>(kernel_.copier[kernel_.inputs + k]->size);
    }
    static constexpr index_t tile = 4096;
    const row_kernel& kernel_;
    const operand_ref* whole_ = nullptr;
    index_t count_ = 1;
    std::byte* at_[max_operands];
    index_t step_[max_operands];
    output_mode mode_[max_operands];
};

/// The next common case: few elements in rows, two axes once those that can are merged. Along a row all operands are
/// dense or stay put; an output has an element for each place, or one for each row, which is reduced to it.
class sheet_loop {
   public:
    explicit sheet_loop(const row_kernel& kernel) : kernel_(kernel), operands_(kernel.inputs + kernel.outputs) {}

    /// False, and nothing done, where it is not that case.
    bool run(const common_axes& axes, const operand_ref* operand) {
        if (!kernel_.takes_sheets || !axes.is_sheet(operands_)) return false;
        if (axes.length() < shortest || axes.length() > longest) return false;
        if (!place(axes, operand)) return false;
        kernel_.run(kernel_.function, row_args{axes.length(), at_, step_, at_ + kernel_.inputs, step_ + kernel_.inputs,
                                               mode_, kernel_.merge, static_cast<int>(axes.rows()), jump_, true});
        for (int k = 0; k < kernel_.outputs; ++k)
            if (mode_[k] == output_mode::total)
                kernel_.rules[k]->finish(at_[kernel_.inputs + k], operand[kernel_.inputs + k].data, axes.rows());
        return true;
    }

   private:
    static constexpr int most_operands = common_axes::most_operands;
    static constexpr index_t shortest = 16, longest = 1024;  // of shorter rows another axis may be the better one

    /// Where the operands are, the rows' distances in bytes, and the accumulators of what is reduced.
    bool place(const common_axes& axes, const operand_ref* operand) {
        for (int o = 0; o < operands_; ++o) {
            at_[o] = operand[o].data;
            step_[o] = axes.step(o);
            jump_[o] = axes.jump(o) * static_cast<index_t>(kernel_.copier[o]->size);
        }
        std::size_t used = 0;
        for (int k = 0; k < kernel_.outputs; ++k) {
            const int o = kernel_.inputs + k;
            if (!kernel_.writes(k)) {
                mode_[k] = output_mode::skip;
                jump_[o] = 0;
                continue;
            }
            mode_[k] = kernel_.fills(k) ? output_mode::add : output_mode::store;
            if (axes.rows() > 1 && jump_[o] == 0) return false;  // rows are added up
            if (step_[o] != 0) continue;
            if (axes.rows() > 1 && axes.jump(o) != 1) return false;
            const std::size_t item = kernel_.rules[k]->wide_item, begin = used;
            used += (static_cast<std::size_t>(axes.rows()) * item + 15) & ~std::size_t(15);
            if (used > sizeof wide_) return false;
            at_[o] = wide_ + begin;
            mode_[k] = output_mode::total;
            jump_[o] = axes.jump(o) * static_cast<index_t>(item);
        }
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (mode_[k] != output_mode::total) continue;
            const int o = kernel_.inputs + k;
            kernel_.rules[k]->clear_wide(at_[o], axes.rows());
            if (kernel_.fills(k)) kernel_.rules[k]->flush(operand[o].data, at_[o], axes.rows());
        }
        return true;
    }

    const row_kernel& kernel_;
    const int operands_;
    std::byte* at_[most_operands];
    index_t step_[most_operands], jump_[most_operands];
    output_mode mode_[most_operands];
    alignas(16) std::byte wide_[4096];
};

/// A kernel, its operands and their iteration space.
class bound_kernel {
   public:
    /// `drive` runs the nest where there is one; `few`, or null, what has few elements along several axes: false, and
    /// nothing done, where it is not that.
    using driver = void (*)(loop_nest& nest, const row_kernel& kernel, const memory_range* homes);
    using shortcut = bool (*)(const bound_kernel&);
    bound_kernel(const row_kernel& kernel, const operand_ref* operands, const memory_range* homes, driver drive,
                 shortcut few = nullptr)
        : kernel_(kernel),
          operand_(operands),
          homes_(homes),
          drive_(drive),
          few_(few),
          operands_(kernel.inputs + kernel.outputs) {}
    RICCI_NOINLINE void run() {
        if (!homes_ && flat_loop(kernel_).run(operand_)) return;
        find_extents();
        if (count_ == 0) clear_outputs();
        else if (!few_ || !few_(*this)) run_nest();
    }
    bool run_few() const {
        if (few_sums(kernel_).run(operand_, extent_, rank_, count_)) return true;
        common_axes axes;
        if (!axes.find(operand_, operands_, extent_, rank_)) return false;
        for (int k = 0; k < kernel_.outputs; ++k)
            if (!kernel_.writes(k)) std::fill_n(axes.stride[kernel_.inputs + k], axes.axes, 0);
        if (!axes.is_flat(operands_, 0)) axes.follow(kernel_.inputs, operands_);
        return tile_loop(kernel_, axes).run(operand_, count_) ||
               (count_ <= most_flat && sheet_loop(kernel_).run(axes, operand_));
    }

   private:
    void find_extents() {
        for (int o = 0; o < operands_; ++o) rank_ = operand_[o].rank > rank_ ? operand_[o].rank : rank_;
        for (int d = 0; d < rank_; ++d) extent_[d] = 1;
        for (int o = 0; o < operands_; ++o) {
            index_t* extent = extent_ + (rank_ - operand_[o].rank);
            for (int d = 0; d < operand_[o].rank; ++d)
                if (operand_[o].extent[d] != 1) extent[d] = operand_[o].extent[d];
        }
        for (int d = 0; d < rank_; ++d) count_ *= extent_[d];
    }
    /// Reductions of nothing: what outputs there are hold identities.
    void clear_outputs() const {
        for (int k = 0; k < kernel_.outputs; ++k) {
            const operand_ref& x = operand_[kernel_.inputs + k];
            index_t n = kernel_.writes(k) && !kernel_.fills(k) ? 1 : 0;
            for (int d = 0; d < x.rank; ++d) n *= x.extent[d];
            if (n > 0) kernel_.rules[k]->clear(x.data, n);
            if (homes_ && homes_[k].begin && !homes_[k].filled) homes_[k].clear();
        }
    }
    void run_nest() const {
        loop_nest nest;
        nest.rank = rank_;
        for (int d = 0; d < rank_; ++d) nest.extent[d] = extent_[d];
        for (int o = 0; o < operands_; ++o) {
            const operand_ref& x = operand_[o];
            nest.data[o] = x.data;
            index_t* stride = nest.stride[o];
            for (int d = 0; d < rank_ - x.rank; ++d) *stride++ = 0;
            index_t dense = 1;
            for (int d = x.rank - 1; d >= 0; --d) {
                stride[d] = x.extent[d] == 1 || !x.data ? 0 : x.stride ? x.stride[d] : dense;  // none: merged outputs
                dense *= x.extent[d] > 0 ? x.extent[d] : 1;
            }
        }
        drive_(nest, kernel_, homes_);
    }

    const row_kernel& kernel_;
    const operand_ref* operand_;
    const memory_range* homes_;
    const driver drive_;
    const shortcut few_;
    int operands_, rank_ = 0;
    index_t count_ = 1;
    index_t extent_[max_loop_rank];
};

RICCI_NOINLINE RICCI_ENGINE void pack_operand(const item_copier& copier, const operand_ref& x, const index_t* extent,
                                              int rank, std::byte* packed) {
    item_block block;
    index_t dense = 1;
    for (int d = rank - 1, e = x.rank - 1; d >= 0; --d, --e) {
        index_t step = 0;
        if (e >= 0 && x.extent[e] != 1) {
            step = x.stride ? x.stride[e] : dense;
            dense *= x.extent[e];
        }
        block.add_axis(extent[d], step);
    }
    block.move(copier, true, x.data, packed);
}
RICCI_NOINLINE RICCI_ENGINE void unpack_operand(const item_copier& copier, const operand_ref& x, std::byte* packed) {
    item_block block;
    for (int d = x.rank - 1; d >= 0; --d) block.add_axis(x.extent[d], x.stride[d]);
    block.move(copier, false, x.data, packed);
}
RICCI_NOINLINE RICCI_ENGINE bool follow_batch(const operand_ref* input, int inputs, int rank) {
    index_t extent[max_loop_rank];
    for (int d = 0; d < rank; ++d) extent[d] = 1;
    bool found = false;
    for (int o = 0; o < inputs; ++o) {
        const operand_ref& x = input[o];
        for (int d = 0; d < x.rank; ++d)
            if (x.extent[d] != 1) extent[rank - x.rank + d] = x.extent[d];
        if (x.rank < rank || x.extent[0] == 1) continue;
        if (x.stride[0] != 0 && x.stride[0] != 1) return false;
        found = found || x.stride[0] == 1;
    }
    return found && batch_order::suits(extent, rank);
}
RICCI_NOINLINE RICCI_ENGINE void run_kernel(const row_kernel& kernel, const operand_ref* operands) {
    const auto drive = [](loop_nest& nest, const row_kernel& k, const memory_range*) {
        loop_driver(nest, k, loop_axes::steps()).run();
    };
    const auto few = [](const bound_kernel& bound) { return bound.run_few(); };
    bound_kernel(kernel, operands, nullptr, drive, few).run();
}
RICCI_NOINLINE RICCI_ENGINE void run_kernel_into(const row_kernel& kernel, const operand_ref* operands,
                                                 const memory_range* homes) {
    const auto drive = [](loop_nest& nest, const row_kernel& k, const memory_range* h) {
        window_driver(nest, k, loop_axes::steps(), h).run();
    };
    bound_kernel(kernel, operands, homes, drive).run();
}
RICCI_NOINLINE RICCI_ENGINE void run_line(const row_kernel& kernel, const operand_ref* operands) {
    const auto drive = [](loop_nest& nest, const row_kernel& k, const memory_range*) {
        loop_driver(nest, k, nullptr).run();
    };
    bound_kernel(kernel, operands, nullptr, drive).run();
}
RICCI_NOINLINE RICCI_ENGINE void run_line_into(const row_kernel& kernel, const operand_ref* operands,
                                               const memory_range* homes) {
    const auto drive = [](loop_nest& nest, const row_kernel& k, const memory_range* h) {
        window_driver(nest, k, nullptr, h).run();
    };
    bound_kernel(kernel, operands, homes, drive).run();
}
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci::detail
