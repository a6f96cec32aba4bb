// Rows of conditions on numbers that registers hold, of which any is sought: joined into one truth value, or with those
// of a row.
#pragma once
#include "loop.hpp"
#include "row_inputs.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

template <class Sweep, class T>
struct truth_row;

#if defined(RICCI_HAS_SIMD)
/// Registers at the end of a row overlap the one before: what held holds again.
template <class Sweep, class T>
struct truth_row {
    using outputs_type = step_outputs<Sweep, simd_domain<T>, merging::none>;
    using mask = simd_mask<T>;
    static constexpr index_t lanes = simd<T>::lanes;
    static constexpr int inputs = Sweep::inputs;
    template <int K>
    using in_t = typename Sweep::template input_type<K>;

    static void run(const void* self, const row_args& r) {
        const Sweep& sweep = *static_cast<const Sweep*>(self);
        alignas(64) std::byte copies[inputs + 1][lanes * widest];
        std::byte* in[inputs + 1];
        index_t step[inputs + 1];
        for_indices<inputs>([&](auto k) {
            step[k()] = r.in_step[k()] == 0 ? 0 : -1;
            in[k()] = r.in[k()];
            if (step[k()] && r.n >= lanes) return;
            in[k()] = copies[k()];
            const auto* const from = reinterpret_cast<const in_t<k()>*>(r.in[k()]);
            for (index_t i = 0; i < lanes; ++i)  // of a row that is shorter than a register the last ones are the first
                reinterpret_cast<in_t<k()>*>(copies[k()])[i] = from[i < r.n ? i & step[k()] : 0];
        });
        const span_args args{r.n, in, step, nullptr, nullptr, nullptr};
        if (r.mode[0] == output_mode::total) {
            bool& found = *reinterpret_cast<bool*>(r.out[0]);  // the accumulator
            found = found || any(sweep, args);
        } else if (r.mode[0] != output_mode::skip) {
            join(sweep, args, reinterpret_cast<bool*>(r.out[0]), r.mode[0] == output_mode::add);
        }
    }

   private:
    template <int... K>
    static constexpr std::size_t widest_of(std::integer_sequence<int, K...>) {
        return std::max({std::size_t(1), sizeof(in_t<K>)...});
    }
    static constexpr std::size_t widest = widest_of(std::make_integer_sequence<int, inputs>{});
    static_assert(sizeof(wide_accumulator<combine_or, bool>) == sizeof(bool));

    RICCI_INLINE static mask at(const Sweep& sweep, simd_inputs<Sweep, T> in, index_t i) {
        in.i = i;
        outputs_type out(nullptr);
        sweep.template run<simd_domain<T>>(in, out);
        return out.template at<0>();
    }
    /// Ends with the block of registers in which one holds.
    RICCI_FLATTEN static bool any(const Sweep& function, const span_args& args) {
        constexpr index_t block = 4 * lanes;
        const Sweep sweep = function;
        const simd_inputs<Sweep, T> in(args);
        index_t i = 0;
        for (; i + block <= args.n; i += block) {
            mask some = at(sweep, in, i);
            for (index_t k = lanes; k < block; k += lanes) some = some | at(sweep, in, i + k);
            if (math::any(some)) return true;
        }
        for (; i + lanes <= args.n; i += lanes)
            if (math::any(at(sweep, in, i))) return true;
        return i < args.n && math::any(at(sweep, in, args.n < lanes ? 0 : args.n - lanes));
    }
    RICCI_FLATTEN static void join(const Sweep& function, const span_args& args, bool* out, bool adds) {
        const Sweep sweep = function;
        const simd_inputs<Sweep, T> in(args);
        if (args.n < lanes) {
            bool truths[lanes];
            at(sweep, in, 0).store(truths);
            for (index_t i = 0; i < args.n; ++i) out[i] = truths[i] || (adds && out[i]);
            return;
        }
        const auto put = [&](index_t i) RICCI_INLINE_LAMBDA {
            typename mask::traits::bytes truths, before;
            at(sweep, in, i).store(reinterpret_cast<bool*>(&truths));
            std::memcpy(&before, out + i, sizeof before);
            if (adds) truths |= before;
            std::memcpy(out + i, &truths, sizeof truths);
        };
        for (index_t i = 0; i + lanes <= args.n; i += lanes) put(i);
        if (args.n % lanes) put(args.n - lanes);
    }
};
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail
