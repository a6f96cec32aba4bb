// The loop nest behind every CPU kernel: merges dimensions, chooses the inner one, splits over threads, and feeds rows to a
// function. It knows no element types: one copy of this code serves all kernels.
#pragma once
#include <array>
#include <cstring>

#include "../core/storage.hpp"
#include "reduce_rules.hpp"
#include "thread_pool.hpp"

namespace ricci::detail {

inline constexpr int max_loop_rank = 16;
inline constexpr int max_operands = 256;

/// What happens to the values of an output along a row.
enum class output_mode : unsigned char { store, add, total, skip };

/// One row of a kernel: pointers to its first elements and steps in elements (0 or 1 where the kernel asks for that).
struct row_args {
    index_t n;
    std::byte* const* in;
    const index_t* in_step;
    std::byte* const* out;  // for total: the wide accumulator
    const index_t* out_step;
    const output_mode* mode;
    const unsigned char* merge;
    int rows = 1;  // or row_kernel::block: as many rows, all added to the same row of the only output
    const index_t* row_bytes = nullptr;  // then: from one row to the next, of each input
    bool sheet = false;                  // rows apart from each other, any number: row_bytes has the outputs', too
};

/// A compiled kernel: its function object, the function that runs a row of it, and what the driver must know of both.
struct row_kernel {
    const void* function;
    void (*run)(const void* function, const row_args& row);
    int inputs;
    int outputs;
    const std::size_t* input_item;
    const output_rules* const* rules;
    const unsigned char* merge;
    bool any_step;              // the row function takes any steps itself; otherwise only 0 and 1 in, 1 out
    bool takes_blocks = false;  // of rows
    bool takes_sheets = false;

    static constexpr int block = 4;
};

/// The iteration space, not empty: extents, and for each operand (inputs, then outputs) data and strides in elements. An output's
/// stride of 0 along a longer axis means that it is reduced there.
struct loop_nest {
    int rank = 0;
    index_t extent[max_loop_rank];
    std::byte* data[max_operands];
    index_t stride[max_operands][max_loop_rank];
};

class loop_driver {
   public:
    loop_driver(loop_nest& nest, const row_kernel& kernel)
        : nest_(nest), kernel_(kernel), operands_(kernel.inputs + kernel.outputs) {}

    void run() {
        for (int k = 0; k < kernel_.outputs; ++k) count_[k] = output_count(k);
        drop_unit_axes();
        choose_inner();
        merge_axes();
        for (int k = 0; k < kernel_.outputs; ++k) reduced_[k] = kernel_.merge[k] == k && is_reduced(k, 0, nest_.rank);
        split();
    }

   private:
    std::byte*& out_data(int k) { return nest_.data[kernel_.inputs + k]; }
    const index_t* out_stride(int k) const { return nest_.stride[kernel_.inputs + k]; }
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
    /// The inner axis is the one along which rows cost least: long, and contiguous in most operands.
    void choose_inner() {
        if (nest_.rank < 2) return;
        int best = nest_.rank - 1;
        double best_cost = row_cost(best);
        for (int d = nest_.rank - 2; d >= 0; --d) {
            const double cost = row_cost(d);
            if (cost < 0.7 * best_cost) {
                best = d;
                best_cost = cost;
            }
        }
        for (int d = best; d + 1 < nest_.rank; ++d) swap_axes(d, d + 1);
    }
    void swap_axes(int a, int b) {
        std::swap(nest_.extent[a], nest_.extent[b]);
        for (int o = 0; o < operands_; ++o) std::swap(nest_.stride[o][a], nest_.stride[o][b]);
    }
    /// Nanoseconds for an element when axis d is the inner one, roughly: a row costs 15, one shorter than a register, which
    /// goes through buffers, 50, and a strided access 1.
    double row_cost(int d) const {
        constexpr index_t lanes = 16;
        double cost = 0.2 + (nest_.extent[d] < lanes ? 50.0 : 15.0) / static_cast<double>(nest_.extent[d]);
        for (int o = 0; o < operands_; ++o)
            if (nest_.stride[o][d] != 0 && nest_.stride[o][d] != 1) cost += 1;
        return cost;
    }
    void merge_axes() {
        int last = 0;
        for (int d = 1; d < nest_.rank; ++d) {
            bool together = true;
            for (int o = 0; o < operands_ && together; ++o)
                together = nest_.stride[o][last] == nest_.stride[o][d] * nest_.extent[d];
            if (together) {
                const index_t n = nest_.extent[last] * nest_.extent[d];
                move_axis(d, last);
                nest_.extent[last] = n;
            } else {
                move_axis(d, ++last);
            }
        }
        if (nest_.rank) nest_.rank = last + 1;
    }

    // ---- chunks: the same for any number of threads, so that sums do not depend on it -----------------------------------

    static constexpr index_t grain = index_t(1) << 16;

    void split() {
        index_t total = 1;
        for (int d = 0; d < nest_.rank; ++d) total *= nest_.extent[d];
        chunks_ = 1;
        if (total >= 2 * grain) {
            split_ = 0;
            for (int d = 1; d < nest_.rank; ++d)
                if (nest_.extent[split_] < 8 && nest_.extent[d] > nest_.extent[split_]) split_ = d;
            const index_t most = nest_.rank == 1 ? nest_.extent[0] / 4096 : nest_.extent[split_];
            chunks_ = total / grain;
            if (chunks_ > 64) chunks_ = 64;
            if (chunks_ > most) chunks_ = most;
            for (int k = 0; k < kernel_.outputs; ++k)
                if (reduced_[k]) limit_chunks(k, total);
        }
        prepare_reduced();
        if (chunks_ <= 1) run_chunk(0);
        else
            parallel_for(
                chunks_, [](void* self, index_t chunk) { static_cast<loop_driver*>(self)->run_chunk(chunk); }, this);
        finish_reduced();
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

    /// Accumulators: one set for each reduced output, or one for each chunk where chunks meet in the same elements.
    void prepare_reduced() {
        std::size_t bytes = 0;
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!reduced_[k]) continue;
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
            if (!reduced_[k]) continue;
            const index_t n = count_[k] * (is_private(k) ? chunks_ : 1);
            kernel_.rules[k]->clear_wide(scratch_ + wide_at_[k], n);
            kernel_.rules[k]->clear(is_private(k) ? scratch_ + partial_at_[k] : out_data(k), n);
        }
    }
    static std::size_t align(std::size_t n) { return (n + 63) & ~std::size_t(63); }

    void finish_reduced() {
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!reduced_[k]) continue;
            const output_rules& rules = *kernel_.rules[k];
            std::byte* wide = scratch_ + wide_at_[k];
            if (is_private(k))
                for (index_t c = 1; c < chunks_; ++c)
                    rules.join(wide, wide + static_cast<std::size_t>(c * count_[k]) * rules.wide_item, count_[k]);
            rules.finish(wide, out_data(k), count_[k]);
        }
    }

    // ---- one chunk -------------------------------------------------------------------------------------------------------

    static constexpr index_t total_tile = 4096;   // elements summed in the element type before the wide accumulator
    static constexpr index_t gather_tile = 512;   // elements of a strided operand copied at a time
    static constexpr index_t flush_visits = 256;  // additions to a row before it goes to the wide accumulator

    struct chunk_state {
        index_t extent[max_loop_rank];
        std::byte* at[max_operands];  // the row's first element; for outputs in mode total, its accumulator
        index_t step[max_operands];
        std::byte* wide[max_operands];
        std::byte* partial[max_operands];
        std::byte* buffer[max_operands];
        output_mode mode[max_operands];
        index_t touched_low[max_operands], touched_high[max_operands];  // bytes of partial
        index_t row_bytes[max_operands];
        index_t rows = 0, length = 1, tile;
        bool flushes = false, buffered = false;
        storage buffers;
    };

    void run_chunk(index_t chunk) {
        chunk_state s;
        for (int d = 0; d < nest_.rank; ++d) s.extent[d] = nest_.extent[d];
        index_t begin = 0;
        if (chunks_ > 1) begin = slice_chunk(chunk, s);
        if (nest_.rank) s.length = s.extent[nest_.rank - 1];
        set_modes(chunk, s);
        for (int o = 0; o < operands_; ++o) {
            s.step[o] = nest_.rank ? nest_.stride[o][nest_.rank - 1] : 0;
            if (chunks_ > 1) s.at[o] += begin * jump(s, o, split_);
        }
        set_buffers(s);
        walk(s);
        if (s.flushes) flush(s);
    }
    /// Narrows the split axis to the chunk; returns where it begins there.
    index_t slice_chunk(index_t chunk, chunk_state& s) {
        const index_t n = nest_.extent[split_], unit = nest_.rank == 1 ? 64 : 1, blocks = (n + unit - 1) / unit;
        const index_t begin = blocks * chunk / chunks_ * unit;
        index_t end = blocks * (chunk + 1) / chunks_ * unit;
        if (end > n) end = n;
        s.extent[split_] = end - begin;
        return begin;
    }
    std::size_t item(int o) const {
        return o < kernel_.inputs ? kernel_.input_item[o] : kernel_.rules[o - kernel_.inputs]->item;
    }
    bool is_total(const chunk_state& s, int o) const {
        return o >= kernel_.inputs && s.mode[o - kernel_.inputs] == output_mode::total;
    }
    /// Bytes from one element to the next along an axis, of what `at` points into.
    index_t jump(const chunk_state& s, int o, int d) const {
        const std::size_t bytes = is_total(s, o) ? kernel_.rules[o - kernel_.inputs]->wide_item : item(o);
        return nest_.stride[o][d] * static_cast<index_t>(bytes);
    }
    void set_modes(index_t chunk, chunk_state& s) {
        const int inner = nest_.rank - 1;
        for (int o = 0; o < kernel_.inputs; ++o) s.at[o] = nest_.data[o];
        for (int k = 0; k < kernel_.outputs; ++k) {
            std::byte*& at = s.at[kernel_.inputs + k];
            at = out_data(k);
            if (kernel_.merge[k] != k) s.mode[k] = output_mode::skip;
            else if (!reduced_[k]) s.mode[k] = output_mode::store;
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
        std::size_t bytes = 0;
        for (int o = 0; o < operands_; ++o)
            if (needs_buffer(o, s)) bytes += align(static_cast<std::size_t>(gather_tile) * item(o));
        if (!bytes) return;
        s.buffered = true;
        if (s.tile > gather_tile) s.tile = gather_tile;
        s.buffers = storage::allocate(bytes);
        std::byte* at = static_cast<std::byte*>(s.buffers.data());
        for (int o = 0; o < operands_; ++o) {
            s.buffer[o] = needs_buffer(o, s) ? at : nullptr;
            if (s.buffer[o]) at += align(static_cast<std::size_t>(gather_tile) * item(o));
        }
    }
    bool needs_buffer(int o, const chunk_state& s) const {
        if (kernel_.any_step || nest_.rank == 0) return false;
        if (o < kernel_.inputs) return s.step[o] != 0 && s.step[o] != 1;
        return s.mode[o - kernel_.inputs] != output_mode::skip && !is_total(s, o) && s.step[o] != 1;
    }

    void walk(chunk_state& s) {
        const int outer = nest_.rank > 0 ? nest_.rank - 1 : 0, next = outer - 1;
        const bool blocks = next >= 0 && can_block(s, next);
        const bool sheets = next >= 0 && !blocks && can_sheet(s, next);
        index_t index[max_loop_rank] = {};
        for (;;) {
            int rows = blocks && s.extent[next] - index[next] >= row_kernel::block ? row_kernel::block : 1;
            if (sheets) rows = static_cast<int>(s.extent[next]);
            row(s, rows, sheets);
            int d = next;
            for (; d >= 0; --d) {
                const index_t step = d == next ? rows : 1;
                index[d] += step;
                const index_t by = index[d] < s.extent[d] ? step : step - s.extent[d];
                for (int o = 0; o < operands_; ++o) s.at[o] += by * jump(s, o, d);
                if (by == step) break;
                index[d] = 0;
            }
            if (d < 0) return;
        }
    }
    /// Whether neighbouring rows along an axis are added to the same row, so that it is better loaded and stored once for several.
    bool can_block(chunk_state& s, int axis) const {
        if (!kernel_.takes_blocks || s.buffered || s.length > s.tile || s.mode[0] != output_mode::add) return false;
        if (out_stride(0)[axis] != 0) return false;
        for (int o = 0; o < kernel_.inputs; ++o) {
            if (s.step[o] == 0 && nest_.stride[o][axis] != 0) return false;
            s.row_bytes[o] = jump(s, o, axis);
        }
        return true;
    }
    /// Whether the rows along an axis are so short that what comes before each of them counts, and stand apart.
    bool can_sheet(chunk_state& s, int axis) const {
        constexpr index_t longest = 1024;
        if (!kernel_.takes_sheets || s.buffered || s.flushes || s.length > longest || s.length > s.tile) return false;
        if (s.extent[axis] > std::numeric_limits<int>::max()) return false;
        for (int o = 0; o < operands_; ++o) s.row_bytes[o] = jump(s, o, axis);
        return true;
    }
    void row(chunk_state& s, int rows, bool sheet = false) {
        if (s.flushes) touch_rows(s);
        if (!s.buffered && s.length <= s.tile) {
            kernel_.run(kernel_.function,
                        row_args{s.length, s.at, s.step, s.at + kernel_.inputs, s.step + kernel_.inputs, s.mode,
                                 kernel_.merge, rows, s.row_bytes, sheet});
        } else {
            for (index_t done = 0; done < s.length; done += s.tile)
                tile(s, done, s.length - done < s.tile ? s.length - done : s.tile);
        }
        if (s.flushes && (s.rows += rows) >= flush_visits) flush(s);
    }
    void touch_rows(chunk_state& s) {
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (s.mode[k] != output_mode::add) continue;
            const int o = kernel_.inputs + k;
            const index_t bytes = static_cast<index_t>(item(o)), low = s.at[o] - s.partial[k];
            const index_t high = low + (s.length - 1) * s.step[o] * bytes + bytes;
            if (low < s.touched_low[k]) s.touched_low[k] = low;
            if (high > s.touched_high[k]) s.touched_high[k] = high;
        }
    }
    void flush(chunk_state& s) {
        s.rows = 0;
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (s.mode[k] != output_mode::add || s.touched_high[k] <= s.touched_low[k]) continue;
            const output_rules& rules = *kernel_.rules[k];
            const index_t bytes = static_cast<index_t>(rules.item), low = s.touched_low[k] / bytes;
            rules.flush(s.partial[k] + low * bytes, s.wide[k] + low * static_cast<index_t>(rules.wide_item),
                        s.touched_high[k] / bytes - low);
            s.touched_low[k] = std::numeric_limits<index_t>::max();
            s.touched_high[k] = 0;
        }
    }
    void tile(chunk_state& s, index_t from, index_t n) {
        std::byte* at[max_operands];
        std::byte* real[max_operands];
        index_t step[max_operands];
        for (int o = 0; o < operands_; ++o) {
            at[o] = real[o] = is_total(s, o) ? s.at[o] : s.at[o] + from * s.step[o] * static_cast<index_t>(item(o));
            step[o] = s.step[o];
            if (!s.buffered || !s.buffer[o]) continue;
            if (o < kernel_.inputs || s.mode[o - kernel_.inputs] == output_mode::add)
                copy_strided(s.buffer[o], 1, at[o], s.step[o], n, item(o));
            at[o] = s.buffer[o];
            step[o] = 1;
        }
        kernel_.run(kernel_.function,
                    row_args{n, at, step, at + kernel_.inputs, step + kernel_.inputs, s.mode, kernel_.merge});
        if (!s.buffered) return;
        for (int o = kernel_.inputs; o < operands_; ++o)
            if (s.buffer[o]) copy_strided(real[o], s.step[o], s.buffer[o], 1, n, item(o));
    }

   public:
    /// n elements of `item` bytes from one step (in elements) to another.
    static void copy_strided(std::byte* to, index_t to_step, const std::byte* from, index_t from_step, index_t n,
                             std::size_t item) {
        switch (item) {
            case 1:
                return copy_items<std::uint8_t>(to, to_step, from, from_step, n);
            case 2:
                return copy_items<std::uint16_t>(to, to_step, from, from_step, n);
            case 4:
                return copy_items<std::uint32_t>(to, to_step, from, from_step, n);
            case 8:
                return copy_items<std::uint64_t>(to, to_step, from, from_step, n);
            case 16:
                return copy_items<std::array<std::uint64_t, 2>>(to, to_step, from, from_step, n);
            default:
                for (index_t i = 0; i < n; ++i)
                    std::memcpy(to + i * to_step * static_cast<index_t>(item),
                                from + i * from_step * static_cast<index_t>(item), item);
        }
    }

   private:
    template <class U>
    static void copy_items(std::byte* to, index_t to_step, const std::byte* from, index_t from_step, index_t n) {
        if (to_step == 1 && from_step == 1) {
            std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(U));
            return;
        }
        if (to_step == 1 && from_step == 0) {
            U value;
            std::memcpy(&value, from, sizeof(U));
            for (index_t i = 0; i < n; ++i) std::memcpy(to + i * static_cast<index_t>(sizeof(U)), &value, sizeof(U));
            return;
        }
        for (index_t i = 0; i < n; ++i)
            std::memcpy(to + i * to_step * static_cast<index_t>(sizeof(U)),
                        from + i * from_step * static_cast<index_t>(sizeof(U)), sizeof(U));
    }

    loop_nest& nest_;
    const row_kernel& kernel_;
    int operands_;
    int split_ = 0;
    index_t chunks_ = 1;
    index_t count_[max_operands];
    bool reduced_[max_operands];
    std::size_t wide_at_[max_operands], partial_at_[max_operands];
    std::byte* scratch_ = nullptr;
    storage memory_;
    alignas(64) std::byte small_[256];
};

}  // namespace ricci::detail
