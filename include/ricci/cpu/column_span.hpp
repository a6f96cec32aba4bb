// Columns: the function that evaluates a sweep over rows and adds them up, a register's worth of all rows at a time.
#pragma once
#include "row.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Of a forward sweep of few instructions with one output. Rows shorter than a register are read beyond their ends:
/// what is there must be readable, and is of no account.
template <class Sweep, class T, class Combine>
class column_span {
   public:
    RICCI_FLATTEN static void run(const void* function, const column_args& a) {
        const Sweep sweep = *static_cast<const Sweep*>(static_cast<const simd_kernel*>(function)->sweep);
        const index_t last = std::max(a.n - lanes, index_t(0)), pass = last == 0 ? a.rows : rows_together;
        index_t apart[inputs], passes_apart[inputs];
        for (int k = 0; k < inputs; ++k) passes_apart[k] = pass * (apart[k] = a.row_bytes[k]);
        alignas(64) T sums[column_args::most_bytes / sizeof(T) + lanes];
        registers group(span_args{a.n, a.in, a.in_mask, nullptr, nullptr, nullptr});
        std::byte* out = a.out;
        for (index_t left = a.groups; left > 0; --left, out += a.out_bytes) {
            registers row = group;
            for (index_t rows = a.rows;; rows -= pass) {
                T* part = sums;
                for (index_t i = 0;; i = std::min(i + lanes, last), part += lanes) {
                    registers in = row;
                    in.move(i);
                    lane sum = column(sweep, in, std::min(rows, pass), apart);
                    if (rows != a.rows) sum = Combine::join(lane::load(part), sum);
                    if (rows > pass) sum.store(part);
                    else put(sum, a, left, reinterpret_cast<T*>(out), i);
                    if (i == last) break;
                }
                if (rows <= pass) break;
                row.next_row(passes_apart);
            }
            group.next_row(a.group_bytes);
        }
    }

   private:
    using lane = simd<T>;
    using registers = simd_inputs<Sweep, T>;
    static constexpr index_t lanes = lane::lanes;
    static constexpr int inputs = Sweep::inputs;
    static constexpr index_t rows_together = 8;  // of several registers: memory is read nearly as it lies then

    RICCI_INLINE static lane next(const Sweep& sweep, registers& in, const index_t* apart) {
        step_outputs<Sweep, simd_domain<T>, merging::none> out(nullptr);
        sweep.template run<simd_domain<T>>(in, out);
        in.next_row(apart);
        return out.template at<0>();
    }
    RICCI_INLINE static lane column(const Sweep& sweep, registers& in, index_t rows, const index_t* apart) {
        lane sum = next(sweep, in, apart), other(Combine::template identity<T>());  // two, which hide latencies
        while (--rows > 1) {
            other = Combine::join(other, next(sweep, in, apart));
            sum = Combine::join(sum, next(sweep, in, apart));
            --rows;
        }
        if (rows > 0) other = Combine::join(other, next(sweep, in, apart));
        return Combine::join(sum, other);
    }
    RICCI_INLINE static void put(const lane& sum, const column_args& a, index_t left, T* out, index_t i) {
        if (a.adds) add(sum, out, i, a.n);
        else if (left > a.partial) sum.store(out + i);
        else sum.store_partial(out, a.n);
    }
    /// The last register overlaps the one before it: only what was not added before counts.
    RICCI_INLINE static void add(const lane& sum, T* out, index_t i, index_t n) {
        if (n < lanes) return Combine::join(lane::load_partial(out, n), sum).store_partial(out, n);
        const index_t seen = i % lanes == 0 ? 0 : lanes - n % lanes;
        const auto fresh = simd_mask<T>::load(last_lanes<lanes> + (lanes - seen));
        Combine::join(lane::load(out + i), math::select(fresh, sum, lane(Combine::template identity<T>())))
            .store(out + i);
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
