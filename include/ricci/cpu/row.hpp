// Rows of kernels: what surrounds the spans of any kernel of one lane type, inputs that stay put, ends shorter than a
// register, totals.
#pragma once
#include <algorithm>

#include "span.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// What a row needs to know of a kernel to run spans; the code of rows itself is shared by all kernels of one lane
/// type.
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
    static constexpr int most = max_operands, most_ends = 64;
    using wide = wide_accumulator<std::conditional_t<std::is_void_v<Combine>, combine_plus, Combine>, T>;

    /// Loops over one axis ask for no Sheets: a row at a time.
    template <bool Sheets>
    static void run(const void* self, const row_args& r);
    /// What the lanes of a register hold to an accumulator.
    static RICCI_INLINE void add_total(const simd<T>& total, void* to) {
        static_cast<wide*>(to)->add_total(fold_lanes<lanes / 2>(total, join_lanes()));
    }

   private:
    struct join_lanes {
        RICCI_INLINE simd<T> operator()(const simd<T>& a, const simd<T>& b) const {
            if constexpr (std::is_void_v<Combine>) return a;
            else return Combine::join(a, b);
        }
    };
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
        const bool over = ends_overlap(k, r);
        int together = registers == 0 ? r.rows : std::max(1, most / registers);
        if (over) together = std::min(together, most_ends);
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
            const row_ends<most_ends> ends(k, over ? rows : 0, r, in, mask, row_bytes);
            const index_t n = over ? r.n - r.n % lanes : r.n;
            k.span(k.sweep, span_args{n, in, mask, out, r.mode, r.merge, rows > 1 ? row_bytes : nullptr, rows}, totals);
            ends.put(out[0], row_bytes[k.inputs]);
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
            run<true>(self, one);
        }
    }
    static bool writes_over_input(const simd_kernel& k, const row_args& r) {
        if constexpr (std::is_void_v<Combine>) {
            for (int i = 0; i < k.inputs; ++i)
                if (r.in[i] == r.out[0]) return true;
        }
        return false;
    }
    /// Whether the last register of a map, which overlaps the one before, would read what that one has written.
    static bool ends_overlap(const simd_kernel& k, const row_args& r) {
        return k.outputs == 1 && r.n >= lanes && r.n % lanes != 0 && writes_over_input(k, r);
    }
    /// The last registers of up to Rows such rows, computed before anything is written.
    template <int Rows>
    class row_ends {
        static constexpr index_t room = lanes * sizeof(T);
        alignas(64) std::byte values_[Rows][room];
        index_t at_, bytes_;
        int rows_;

       public:
        row_ends(const simd_kernel& k, int rows, const row_args& r, std::byte* const* in, const index_t* mask,
                 const index_t* row_bytes)
            : at_((r.n - lanes) * k.output_item[0]), bytes_(lanes * k.output_item[0]), rows_(rows) {
            if (rows == 0) return;
            std::byte *from[most], *to = values_[0];
            index_t apart[most];
            for (int i = 0; i < k.inputs; ++i) {
                from[i] = in[i] + (mask[i] & (r.n - lanes)) * k.input_item[i];
                if (rows > 1) apart[i] = row_bytes[i];
            }
            apart[k.inputs] = room;
            const output_mode store = output_mode::store;
            k.span(k.sweep, span_args{lanes, from, mask, &to, &store, r.merge, rows > 1 ? apart : nullptr, rows},
                   nullptr);
        }
        void put(std::byte* to, index_t apart) const {
            for (int row = 0; row < rows_; ++row)
                std::memcpy(to + row * apart + at_, values_[row], static_cast<std::size_t>(bytes_));
        }
    };

    /// The totals of some rows to where they are added up.
    static void add_totals(const simd_kernel& k, const row_args& r, const std::byte* totals, int first = 0,
                           int rows = 1) {
        for (int o = 0; o < k.outputs; ++o) {
            if (r.mode[o] != output_mode::total) continue;
            const index_t apart = r.sheet ? r.row_bytes[k.inputs + o] : 0;
            const simd<T>* total = reinterpret_cast<const simd<T>*>(totals) + o;
            std::byte* to = r.out[o] + first * apart;
            int row = 0;
            if constexpr (lanes <= 16)
                for (; row + lanes <= rows; row += lanes, total += lanes * k.outputs) {
                    T sums[lanes];
                    fold_registers<lanes>(total, k.outputs, join_lanes()).store(sums);
                    for (int j = 0; j < lanes; ++j, to += apart) reinterpret_cast<wide*>(to)->add_total(sums[j]);
                }
            for (; row < rows; ++row, total += k.outputs, to += apart) add_total(*total, to);
        }
    }
    /// The last, partial register: through buffers, so that the same code computes it and nothing is read or written
    /// beyond.
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
template <bool Sheets>
void simd_row<T, Combine>::run(const void* self, const row_args& r) {
    const simd_kernel& k = *static_cast<const simd_kernel*>(self);
    if constexpr (Sheets) {
        if (r.sheet && r.n >= lanes && (k.outputs == 1 || r.n % lanes == 0 || !writes_over_input(k, r)))
            return run_sheet(k, r);
        if (r.sheet || (r.rows > 1 && r.n < lanes)) return run_one_by_one(self, r);
    }
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
    const bool over = ends_overlap(k, r);
    const row_ends<1> ends(k, over ? 1 : 0, r, in, mask, nullptr);
    // where outputs are written over inputs, registers must not overlap: of several the rest goes through buffers
    const index_t whole = r.n < lanes || writes_over_input(k, r) ? r.n & ~index_t(lanes - 1) : r.n;
    if (whole) {
        std::byte* const* out = r.out;
        const output_mode* mode = r.mode;
        const unsigned char* merge = r.merge;
        RICCI_KEEP_SCALAR(out);
        RICCI_KEEP_SCALAR(mode);
        RICCI_KEEP_SCALAR(merge);
        const span_args row{whole, in, mask, out, mode, merge};
        const span_args blocks{whole, in, mask, out, mode, merge, r.row_bytes, 1, r.rows / row_kernel::block};
        k.span(k.sweep, r.rows > 1 ? blocks : row, totals);
        if constexpr (!std::is_void_v<Combine>) add_totals(k, r, totals);
    }
    if (over) ends.put(r.out[0], 0);
    else if (whole < r.n) tail(k, r, in, mask, whole, totals);
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
