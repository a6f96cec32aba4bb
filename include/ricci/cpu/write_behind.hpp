// Maps into memory that they read, as stencils in place are: results lie apart until all is computed that reads what
// they replace. Of many rows no more than that lies apart at a time, in the cache.
#pragma once
#include "bind.hpp"
#include "thread_pool.hpp"

namespace ricci::detail {

/// Copies elements to others of the same extents.
using operand_copy = void (*)(const operand_ref& from, const operand_ref& to);
/// Bytes of results that lie apart beside as many that are computed; by each thread where threads share them.
inline constexpr index_t bytes_behind = index_t(1) << 17;
constexpr bool is_long_behind(index_t bytes) { return bytes > 2 * bytes_behind; }
/// Runs a map by `run` into the last operand, whose extents are its own and whose memory inputs share, as if all were
/// computed before any is written. False, and nothing done, where that is the best way: few rows, or such as are read
/// long after they are due.
bool run_behind(const row_kernel& kernel, const operand_ref* operands, operand_copy copy,
                void (*run)(const row_kernel&, const operand_ref*));

#if RICCI_ENGINE_BODIES
RICCI_CONTROL_BEGIN
/// A map's operands, some of their rows, elements of the first axis, at a time.
class rows_behind {
   public:
    rows_behind(const row_kernel& kernel, const operand_ref* operands)
        : kernel_(kernel), operand_(operands), out_(operands[kernel.inputs]), rows_(out_.extent[0]) {
        for (int d = 1; d < out_.rank; ++d) elements_ *= out_.extent[d];
    }
    /// How many rows are computed at a time: those before them are read by no others, and are written then.
    index_t together() const {
        const bool shared = rows_ * elements_ > most_flat;
        index_t n = (shared ? num_threads() * bytes_behind : bytes_behind) / row_bytes();
        for (int o = 0; o < kernel_.inputs; ++o) n = std::max(n, last_reader(o));
        return std::max(n, index_t(1));
    }
    void run(index_t together, operand_copy copy, void (*run_part)(const row_kernel&, const operand_ref*)) {
        const int output = kernel_.inputs;
        const index_t bytes = together * row_bytes();
        const storage apart = storage::allocate(static_cast<std::size_t>(2 * bytes));
        operand_ref part[max_operands];
        const part_rows whole_part(*this, together), last_part(*this, (rows_ - 1) % together + 1);
        operand_ref due = {}, room = {};
        index_t half = 0;
        for (index_t row = 0; row < rows_; row += together, half = bytes - half) {
            const part_rows& rows = row + together < rows_ ? whole_part : last_part;
            for (int o = 0; o < output; ++o) part[o] = rows.of(o, row);
            part[output] = rows.apart(static_cast<std::byte*>(apart.data()) + half);
            run_part(kernel_, part);
            if (row > 0) copy(due, room);
            due = part[output];
            room = rows.of(output, row);
        }
        copy(due, room);
    }

   private:
    /// So many rows of each operand.
    class part_rows {
       public:
        part_rows(const rows_behind& all, index_t n) : all_(all), n_(n) {
            for (int o = 0; o <= all.kernel_.inputs; ++o) {
                const operand_ref& x = all.operand_[o];
                std::copy_n(x.extent, x.rank, extent_[o]);
                if (all.goes_along(o)) extent_[o][0] = n;
            }
        }
        operand_ref of(int o, index_t row) const {
            operand_ref x = all_.operand_[o];
            if (!all_.goes_along(o)) return x;
            x.data += row * all_.step(o);
            x.extent = extent_[o];
            x.dense = x.dense / all_.rows_ * n_;
            return x;
        }
        operand_ref apart(std::byte* to) const {
            const int output = all_.kernel_.inputs;
            return {to, extent_[output], nullptr, all_.out_.rank, n_ * all_.elements_};
        }

       private:
        const rows_behind& all_;
        index_t n_;
        index_t extent_[max_operands][max_loop_rank];
    };

    index_t item(int o) const { return static_cast<index_t>(kernel_.copier[o]->size); }
    index_t row_bytes() const { return elements_ * item(kernel_.inputs); }
    bool goes_along(int o) const { return operand_[o].rank == out_.rank && operand_[o].extent[0] == rows_; }
    /// Bytes from a row to the next.
    index_t step(int o) const { return goes_along(o) ? operand_[o].stride[0] * item(o) : 0; }
    /// Where the elements of axis `first` and later ones lie: bytes from the first element.
    void reach(int o, int first, index_t& low, index_t& high) const {
        const operand_ref& x = operand_[o];
        low = 0;
        high = item(o);
        for (int d = first; d < x.rank; ++d) {
            const index_t last = (x.extent[d] - 1) * x.stride[d] * item(o);
            (last < 0 ? low : high) += last;
        }
    }
    /// How many rows after a row of the output there may be one of input o that reads what that writes; all where
    /// their steps differ.
    index_t last_reader(int o) const {
        const int output = kernel_.inputs;
        const index_t apart = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(out_.data) -
                                                   reinterpret_cast<std::uintptr_t>(operand_[o].data));
        const index_t pace = step(output);
        const bool in_step = pace > 0 && step(o) == pace;
        index_t low, high, out_low, out_high;
        reach(o, 0, low, high);
        reach(output, 0, out_low, out_high);
        if (apart + out_low >= high || low >= apart + out_high) return 0;
        if (!in_step) return rows_;
        reach(o, 1, low, high);
        reach(output, 1, out_low, out_high);
        return std::clamp<index_t>((apart + out_high - low - 1) / pace, 0, rows_);
    }

    const row_kernel& kernel_;
    const operand_ref* operand_;
    const operand_ref& out_;
    const index_t rows_;
    index_t elements_ = 1;
};
RICCI_NOINLINE RICCI_ENGINE bool run_behind(const row_kernel& kernel, const operand_ref* operands, operand_copy copy,
                                            void (*run)(const row_kernel&, const operand_ref*)) {
    rows_behind rows(kernel, operands);
    const index_t together = rows.together();
    if (2 * together >= operands[kernel.inputs].extent[0]) return false;
    rows.run(together, copy, run);
    return true;
}
RICCI_CONTROL_END
#endif
}  // namespace ricci::detail
