// The loop behind every CPU kernel: splits an iteration space over threads, sees to accumulators and to what has steps,
// and feeds rows to a function. It knows no element types: one copy of this code serves all kernels.
#pragma once
#include <cstdlib>

#include "nest.hpp"
#include "thread_pool.hpp"

#if RICCI_ENGINE_BODIES
RICCI_CONTROL_BEGIN
namespace ricci::detail {
class loop_driver;

/// An iteration space, the kernel that runs over it, and what follows from both.
class loop_space {
   public:
    loop_space(loop_nest& nest, const row_kernel& kernel)
        : nest_(nest), kernel_(kernel), operands_(kernel.inputs + kernel.outputs) {}

   protected:
    std::byte*& out_data(int k) { return nest_.data[kernel_.inputs + k]; }
    const index_t* out_stride(int k) const { return nest_.stride[kernel_.inputs + k]; }
    std::size_t item(int o) const { return kernel_.copier[o]->size; }
    bool is_total(const chunk_state& s, int o) const {
        return o >= kernel_.inputs && s.mode[o - kernel_.inputs] == output_mode::total;
    }
    /// Bytes from one element to the next along an axis, of what `at` points into.
    index_t jump(const chunk_state& s, int o, int d) const {
        const std::size_t bytes = is_total(s, o) ? kernel_.rules[o - kernel_.inputs]->wide_item : item(o);
        return nest_.stride[o][d] * static_cast<index_t>(bytes);
    }
    static std::size_t align(std::size_t n) { return (n + 63) & ~std::size_t(63); }

    loop_nest& nest_;
    const row_kernel& kernel_;
    int operands_;
};

/// What a loop does about windows, outputs that are added into larger arrays. Most kernels have none, and units that
/// have none do not compile it (loop_windows.hpp).
struct window_steps {
    bool (*chunks_apart)(const loop_driver&);
    void (*run_chunks)(loop_driver&);
    void (*begin_chunk)(const loop_driver&, chunk_state&, index_t chunk);
    void (*clear_ahead)(const loop_driver&, chunk_state&, index_t from, index_t n);
    void (*clear_rest)(const loop_driver&, const chunk_state&);
};

/// What a loop does about several axes: which is the inner one and which are one, and all rows of a chunk. Nor do units
/// whose arrays have one axis at most compile this (loop_axes.hpp).
struct axes_steps {
    void (*arrange)(loop_driver&);
    void (*walk)(loop_driver&, chunk_state&);
};

class loop_driver : protected loop_space {
   public:
    /// `axes` is null where there is one axis at most.
    loop_driver(loop_nest& nest, const row_kernel& kernel, const axes_steps* axes)
        : loop_space(nest, kernel), axes_(axes) {}

    void run() {
        for (int k = 0; k < kernel_.outputs; ++k) count_[k] = output_count(k);
        drop_unit_axes();
        if (axes_) axes_->arrange(*this);
        for (int k = 0; k < kernel_.outputs; ++k) reduced_[k] = kernel_.writes(k) && is_reduced(k, 0, nest_.rank);
        split();
    }

   protected:
    friend class loop_axes;
    loop_driver(loop_nest& nest, const row_kernel& kernel, const axes_steps* axes, const memory_range* homes,
                const window_steps& windows)
        : loop_space(nest, kernel), axes_(axes), homes_(homes), windows_(&windows) {}
    static constexpr index_t window_tile = 1024;  // elements of a window before it is added

    bool is_window(int k) const { return homes_ && homes_[k].begin && kernel_.writes(k); }
    bool is_reduced(int k, int first, int last) const {
        for (int d = first; d < last; ++d)
            if (out_stride(k)[d] == 0 && nest_.extent[d] > 1) return true;
        return false;
    }
    index_t output_count(int k) const {
        index_t n = 1;
        for (int d = 0; d < nest_.rank; ++d)
            if (out_stride(k)[d] != 0) n *= nest_.extent[d];
        return n;
    }
    void drop_unit_axes() {
        int kept = 0;
        for (int d = 0; d < nest_.rank; ++d)
            if (nest_.extent[d] != 1) move_axis(d, kept++);
        nest_.rank = kept;
    }
    void move_axis(int from, int to) {
        if (from == to) return;
        nest_.extent[to] = nest_.extent[from];
        for (int o = 0; o < operands_; ++o) nest_.stride[o][to] = nest_.stride[o][from];
    }
    // ---- chunks: the same for any number of threads, so that sums do not depend on it -------------------------------

    static constexpr index_t grain = index_t(1) << 16;

    void split() {
        index_t total = 1;
        for (int d = 0; d < nest_.rank; ++d) total *= nest_.extent[d];
        chunks_ = 1;
        if (total >= 2 * grain) {
            split_ = 0;
            for (int d = 1; d < nest_.rank; ++d)
                if (nest_.extent[split_] < 8 && nest_.extent[d] > nest_.extent[split_]) split_ = d;
            const bool many = split_across_outputs();
            const index_t most = nest_.rank == 1 ? nest_.extent[0] / 4096 : nest_.extent[split_];
            chunks_ = total / grain;
            if (chunks_ > 64 && !many) chunks_ = 64;
            if (chunks_ > most) chunks_ = most;
            for (int k = 0; k < kernel_.outputs; ++k)
                if (reduced_[k]) limit_chunks(k, total);
        }
        if (homes_ && chunks_ > 1 && !windows_->chunks_apart(*this)) chunks_ = 1;
        prepare_reduced();
        if (chunks_ <= 1) run_chunk(0);
        else if (homes_) windows_->run_chunks(*this);
        else
            parallel_for(
                chunks_, [](void* self, index_t chunk) { static_cast<loop_driver*>(self)->run_chunk(chunk); }, this);
        finish_reduced();
    }
    /// Where rows go across the memory of an output, and nothing is added up, splits the axis along which that goes on:
    /// else each row goes through all of it. Returns whether it did so: chunks, which keep no accumulators then, may be
    /// many.
    bool split_across_outputs() {
        const int inner = nest_.rank - 1;
        if (homes_ || split_ == inner || nest_.extent[inner] < 8) return false;
        bool crosses = false;
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (reduced_[k]) return false;
            crosses |= kernel_.writes(k) && std::abs(out_stride(k)[inner]) > std::abs(out_stride(k)[split_]);
        }
        if (crosses) split_ = inner;
        return crosses;
    }
    /// Private accumulators must stay small beside the work; shared ones must not meet in a chunk's range of elements.
    void limit_chunks(int k, index_t total) {
        const index_t* stride = out_stride(k);
        if (stride[split_] == 0) {
            while (chunks_ > 1 && chunks_ * count_[k] > total / 256) chunks_ /= 2;
            return;
        }
        for (int d = 0; d < nest_.rank; ++d)
            if (d != split_ && stride[d] * nest_.extent[d] > stride[split_]) chunks_ = 1;
    }
    bool is_private(int k) const { return chunks_ > 1 && out_stride(k)[split_] == 0; }
    /// Whether so few rows are added to each row of an output that its elements need no wide accumulators.
    bool adds_few(int k) const {
        index_t rows = 1;
        for (int d = 0; d + 1 < nest_.rank; ++d)
            if (out_stride(k)[d] == 0) rows *= nest_.extent[d];
        return !is_private(k) && out_stride(k)[nest_.rank - 1] != 0 && rows <= flush_visits;
    }

    /// Accumulators: one set for each reduced output, or one for each chunk where chunks meet in the same elements.
    void prepare_reduced() {
        std::size_t bytes = 0;
        for (int k = 0; k < kernel_.outputs; ++k) {
            direct_[k] = reduced_[k] && adds_few(k);
            if (direct_[k] && !kernel_.fills(k)) kernel_.rules[k]->clear(out_data(k), count_[k]);
            if (!reduced_[k] || direct_[k]) continue;
            const std::size_t copies = is_private(k) ? static_cast<std::size_t>(chunks_) : 1;
            wide_at_[k] = bytes;
            bytes += align(copies * static_cast<std::size_t>(count_[k]) * kernel_.rules[k]->wide_item);
            partial_at_[k] = bytes;
            if (is_private(k)) bytes += align(copies * static_cast<std::size_t>(count_[k]) * kernel_.rules[k]->item);
        }
        if (!bytes) return;
        if (bytes <= sizeof(small_)) scratch_ = small_;
        else {
            memory_ = storage::allocate(bytes);
            scratch_ = static_cast<std::byte*>(memory_.data());
        }
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!reduced_[k] || direct_[k]) continue;
            const index_t n = count_[k] * (is_private(k) ? chunks_ : 1);
            kernel_.rules[k]->clear_wide(scratch_ + wide_at_[k], n);
            if (kernel_.fills(k)) kernel_.rules[k]->flush(out_data(k), scratch_ + wide_at_[k], count_[k]);
            kernel_.rules[k]->clear(is_private(k) ? scratch_ + partial_at_[k] : out_data(k), n);
        }
    }

    void finish_reduced() {
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!reduced_[k] || direct_[k]) continue;
            const output_rules& rules = *kernel_.rules[k];
            std::byte* wide = scratch_ + wide_at_[k];
            if (is_private(k))
                for (index_t c = 1; c < chunks_; ++c)
                    rules.join(wide, wide + static_cast<std::size_t>(c * count_[k]) * rules.wide_item, count_[k]);
            rules.finish(wide, out_data(k), count_[k]);
        }
    }

    // ---- one chunk --------------------------------------------------------------------------------------------------

    static constexpr index_t total_tile = 4096;   // elements summed in the element type before the wide accumulator
    static constexpr index_t gather_tile = 512;   // elements of a strided operand copied at a time
    static constexpr index_t flush_visits = 256;  // additions to a row before it goes to the wide accumulator

    void run_chunk(index_t chunk) {
        chunk_state s;
        for (int d = 0; d < nest_.rank; ++d) s.extent[d] = nest_.extent[d];
        index_t begin = 0;
        if (chunks_ > 1) begin = slice_chunk(chunk, s.extent);
        if (nest_.rank) s.length = s.extent[nest_.rank - 1];
        set_modes(chunk, s);
        for (int o = 0; o < operands_; ++o) {
            s.step[o] = nest_.rank ? nest_.stride[o][nest_.rank - 1] : 0;
            if (chunks_ > 1) s.at[o] += begin * jump(s, o, split_);
        }
        if (homes_) windows_->begin_chunk(*this, s, chunk);
        if (axes_) {
            axes_->walk(*this, s);
        } else {
            set_buffers(s);
            row(s);
        }
        if (homes_) windows_->clear_rest(*this, s);
    }
    /// Narrows the split axis to the chunk; returns where it begins there.
    index_t slice_chunk(index_t chunk, index_t* extent) const {
        const index_t n = nest_.extent[split_], unit = nest_.rank == 1 ? 64 : 1, blocks = (n + unit - 1) / unit;
        const index_t begin = blocks * chunk / chunks_ * unit;
        index_t end = blocks * (chunk + 1) / chunks_ * unit;
        if (end > n) end = n;
        extent[split_] = end - begin;
        return begin;
    }
    void set_modes(index_t chunk, chunk_state& s) {
        const int inner = nest_.rank - 1;
        for (int o = 0; o < kernel_.inputs; ++o) s.at[o] = nest_.data[o];
        for (int k = 0; k < kernel_.outputs; ++k) {
            std::byte*& at = s.at[kernel_.inputs + k];
            at = out_data(k);
            if (!kernel_.writes(k)) s.mode[k] = output_mode::skip;
            else if (!reduced_[k]) s.mode[k] = kernel_.fills(k) ? output_mode::add : output_mode::store;
            else if (direct_[k]) s.mode[k] = output_mode::add;
            else {
                const output_rules& rules = *kernel_.rules[k];
                const std::size_t own = is_private(k) ? static_cast<std::size_t>(chunk * count_[k]) : 0;
                s.wide[k] = scratch_ + wide_at_[k] + own * rules.wide_item;
                s.partial[k] = is_private(k) ? scratch_ + partial_at_[k] + own * rules.item : out_data(k);
                s.mode[k] = out_stride(k)[inner] == 0 ? output_mode::total : output_mode::add;
                at = s.mode[k] == output_mode::total ? s.wide[k] : s.partial[k];
                s.touched_low[k] = std::numeric_limits<index_t>::max();
                s.touched_high[k] = 0;
                if (s.mode[k] == output_mode::add) s.flushes = true;
            }
        }
    }
    void set_buffers(chunk_state& s) {
        s.tile = s.length;
        for (int k = 0; k < kernel_.outputs; ++k)
            if (s.mode[k] == output_mode::total && s.tile > total_tile) s.tile = total_tile;
        const index_t most = homes_ ? window_tile : gather_tile;
        // kernels that add to windows by themselves need no short tiles: what is cleared ahead is to stay in the second
        // cache
        if (homes_) s.tile = std::min(s.tile, kernel_.adds_apart ? 8 * most : most);
        std::size_t bytes = 0;
        for (int o = 0; o < operands_; ++o)
            if (needs_buffer(o, s)) bytes += align(static_cast<std::size_t>(most) * item(o));
        if (!bytes) return;
        s.buffered = true;
        if (s.tile > most) s.tile = most;
        s.buffers = storage::allocate(bytes);
        std::byte* at = static_cast<std::byte*>(s.buffers.data());
        for (int o = 0; o < operands_; ++o) {
            s.buffer[o] = needs_buffer(o, s) ? at : nullptr;
            if (s.buffer[o]) at += align(static_cast<std::size_t>(most) * item(o));
        }
    }
    bool needs_buffer(int o, const chunk_state& s) const {
        if (kernel_.any_step || nest_.rank == 0) return false;
        if (o < kernel_.inputs) return s.step[o] != 0 && s.step[o] != 1;
        if (is_window(o - kernel_.inputs)) return s.mode[o - kernel_.inputs] == output_mode::store;
        return s.mode[o - kernel_.inputs] != output_mode::skip && !is_total(s, o) && s.step[o] != 1;
    }

    void row(chunk_state& s, int rows = 1, bool sheet = false) {
        if (!s.buffered && s.length <= s.tile) {
            if (homes_) windows_->clear_ahead(*this, s, 0, s.length);
            kernel_.run(kernel_.function,
                        row_args{s.length, s.at, s.step, s.at + kernel_.inputs, s.step + kernel_.inputs, s.mode,
                                 kernel_.merge, rows, s.row_bytes, sheet});
        } else {
            for (index_t done = 0; done < s.length; done += s.tile)
                tile(s, done, s.length - done < s.tile ? s.length - done : s.tile);
        }
    }
    void tile(chunk_state& s, index_t from, index_t n) {
        if (homes_) windows_->clear_ahead(*this, s, from, n);
        std::byte* at[max_operands];
        std::byte* real[max_operands];
        index_t step[max_operands];
        for (int o = 0; o < operands_; ++o) {
            at[o] = real[o] = is_total(s, o) ? s.at[o] : s.at[o] + from * s.step[o] * static_cast<index_t>(item(o));
            step[o] = s.step[o];
            if (!s.buffered || !s.buffer[o]) continue;
            if (o < kernel_.inputs || s.mode[o - kernel_.inputs] == output_mode::add)
                kernel_.copier[o]->copy(s.buffer[o], 1, at[o], s.step[o], n);
            at[o] = s.buffer[o];
            step[o] = 1;
        }
        kernel_.run(kernel_.function,
                    row_args{n, at, step, at + kernel_.inputs, step + kernel_.inputs, s.mode, kernel_.merge});
        if (!s.buffered) return;
        for (int o = kernel_.inputs; o < operands_; ++o) {
            if (!s.buffer[o]) continue;
            if (is_window(o - kernel_.inputs)) kernel_.add(real[o], s.step[o], s.buffer[o], n);
            else kernel_.copier[o]->copy(real[o], s.step[o], s.buffer[o], 1, n);
        }
    }

    const axes_steps* axes_;
    const memory_range* homes_ = nullptr;
    const window_steps* windows_ = nullptr;
    int split_ = 0;
    index_t chunks_ = 1;
    index_t count_[max_operands];
    bool reduced_[max_operands], direct_[max_operands];
    std::size_t wide_at_[max_operands], partial_at_[max_operands];
    std::byte* scratch_ = nullptr;
    storage memory_;
    alignas(64) std::byte small_[256];
};
}  // namespace ricci::detail
RICCI_CONTROL_END
#endif  // RICCI_ENGINE_BODIES
