// What the loops of CPU kernels run over: kernels with erased types, their operands, and rows.
#pragma once
#include "../core/storage.hpp"
#include "reduce_rules.hpp"
#include "strided_copy.hpp"

namespace ricci::detail {

inline constexpr int max_loop_rank = 16;
inline constexpr int max_operands = 256;
inline constexpr index_t most_flat = index_t(1) << 17;  // elements; of more, threads share the work

/// A tensor as a loop sees it: its first element, and `rank` extents and strides in elements.
struct operand_ref {
    std::byte* data;
    const index_t* extent;
    const index_t* stride;  // null: row-major
    int rank;
    index_t dense = 0;  // the number of elements, if they are known to be dense

    /// Of one axis, or none: the step along it, 0 where it has one element.
    index_t line_step() const { return rank == 0 || extent[0] == 1 ? 0 : stride ? stride[0] : 1; }
};

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
    int rows = 1;  // or a multiple of row_kernel::block: as many rows, all added to the same row of the only output
    const index_t* row_bytes = nullptr;  // then: from one row to the next, of each input
    bool sheet = false;                  // rows apart from each other, any number: row_bytes has the outputs', too
};

/// Rows that are added up side by side, a register's worth of all of them before the next one: `groups` times as many
/// `rows`, each group in a row of the output.
struct column_args {
    static constexpr index_t most_bytes = 8192;  // of a row's sums
    index_t n;
    index_t rows, groups;
    std::byte* const* in;
    const index_t* in_mask;    // as of spans
    const index_t* row_bytes;  // from one row to the next, of each input
    const index_t* group_bytes;
    std::byte* out;
    index_t out_bytes;  // from one row of the output to the next
    index_t partial;    // at the end, rows of the output behind which there is no room for a whole register
    bool adds;          // to what the output holds
};

/// Bytes that outputs are added into where several may overlap (see loop.hpp); none where there is no such output.
struct memory_range {
    std::byte* begin = nullptr;
    std::byte* end = nullptr;
    bool filled = false;  // what is there stays, and is added to
    /// Zeros; of floats too.
    void clear() const { std::memset(begin, 0, static_cast<std::size_t>(end - begin)); }
};

/// A compiled kernel: its function object, the function that runs a row of it, and what the driver must know of both.
struct row_kernel {
    const void* function;
    void (*run)(const void* function, const row_args& row);
    int inputs;
    int outputs;
    const item_copier* const* copier;  // of all operands
    const output_rules* const* rules;
    const unsigned char* merge;
    bool any_step;              // the row function takes any steps itself; otherwise only 0 and 1 in, 1 out
    bool takes_blocks = false;  // of rows
    bool takes_sheets = false;
    void (*add)(std::byte* to, index_t step, const std::byte* from, index_t n) = nullptr;  // of kernels with steps of 1
    void (*columns)(const void* function, const column_args&) = nullptr;  // of those that take blocks on registers
    bool adds_apart = false;                                              // outputs that are added to may overlap
    void* const* into = nullptr;  // one for each output: not null where it is added to what its memory holds

    static constexpr int block = 4;
    int lanes = 1;                  // of a register: shorter rows take longer than one of that length
    const bool* unasked = nullptr;  // likewise: outputs that are computed, if that must be, and not written
    bool fills(int k) const { return into && into[k]; }
    bool writes(int k) const { return merge[k] == k && !(unasked && unasked[k]); }
};

/// The iteration space, not empty: extents, and for each operand (inputs, then outputs) data and strides in elements.
/// An output's stride of 0 along a longer axis means that it is reduced there.
struct loop_nest {
    int rank = 0;
    index_t extent[max_loop_rank];
    std::byte* data[max_operands];
    index_t stride[max_operands][max_loop_rank];
};

/// Where one chunk of a loop nest is: rows begin at `at` and go on in the innermost axis.
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
    std::byte *cleared[max_operands], *clear_end[max_operands];  // of homes
    bool leads[max_operands];                                    // of windows
    bool flushes = false, buffered = false;
    storage buffers;
};

}  // namespace ricci::detail
