// Reductions of rows element by element, in loops that the compiler can turn into vector code: those of integers above all.
#pragma once
#include "nest.hpp"
#include "reduce_rules.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// A kernel with one output, reduced by Combine, along a row: joined into an accumulator, or with the elements of another row.
template <class Sweep, class Combine, class Outputs, class Domain>
struct scalar_reduction {
    using U = typename Sweep::template output_type<0>;
    using wide = wide_accumulator<Combine, U>;
    static constexpr index_t ways = 8;  // partial results of floats, whose order the compiler must keep

    template <class Inputs>
    static void run(const Sweep& function, Inputs in, const row_args& r) {
        const Sweep sweep = function;  // a copy, as n is: a store of bytes could change what lies in memory
        const index_t n = r.n, step = r.out_step[0];
        U* const out = reinterpret_cast<U*>(r.out[0]);
        if (r.mode[0] == output_mode::total) {
            wide& total = *reinterpret_cast<wide*>(r.out[0]);
            if constexpr (std::is_integral_v<U>) total.add(total_of(sweep, in, n));
            else add_parts(sweep, in, n, total);
        } else if (r.mode[0] == output_mode::add) {
            if (step == 1) add(sweep, in, n, out, std::integral_constant<index_t, 1>{});
            else add(sweep, in, n, out, step);
        } else {
            for (in.i = 0; in.i < n; ++in.i) out[in.i * step] = value(sweep, in);
        }
    }

   private:
    template <class Inputs>
    RICCI_INLINE static U value(const Sweep& sweep, const Inputs& in) {
        Outputs y(nullptr);
        sweep.template run<Domain>(in, y);
        return y.template at<0>();
    }
    template <class Inputs>
    RICCI_INLINE static U total_of(const Sweep& sweep, Inputs in, index_t n) {
        U total = Combine::template identity<U>();
        for (in.i = 0; in.i < n; ++in.i) total = Combine::join(total, value(sweep, in));
        return total;
    }
    template <class Inputs>
    RICCI_INLINE static void add_parts(const Sweep& sweep, Inputs in, index_t n, wide& total) {
        using W = std::conditional_t<std::is_same_v<Combine, combine_plus>, typename wide_of<U>::type, U>;
        W part[ways];
        for (index_t w = 0; w < ways; ++w) part[w] = Combine::template identity<W>();
        const index_t whole = n - n % ways;
        for (index_t first = 0; first < whole; first += ways)
            for (index_t w = 0; w < ways; ++w) {
                in.i = first + w;
                part[w] = Combine::join(part[w], static_cast<W>(value(sweep, in)));
            }
        for (in.i = whole; in.i < n; ++in.i) total.add(value(sweep, in));
        for (index_t w = 0; w < ways; ++w) total.add(part[w]);
    }
    template <class Inputs, class Step>
    RICCI_INLINE static void add(const Sweep& sweep, Inputs in, index_t n, U* out, Step step) {
        for (in.i = 0; in.i < n; ++in.i) {
            U& at = out[in.i * step];
            at = Combine::join(at, value(sweep, in));
        }
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
