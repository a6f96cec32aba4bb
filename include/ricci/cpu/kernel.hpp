// The kernel of a fused op: its row function, compiled for registers, complex numbers or scalars, and its tables.
#pragma once
#include <array>
#include <cstring>

#include "../expr/fused.hpp"
#include "column_span.hpp"
#include "compiled_kernels.hpp"
#include "complex_row.hpp"
#include "row.hpp"
#include "scalar_row.hpp"
#include "truth_row.hpp"

namespace ricci {
namespace detail {

/// A sweep as the loop driver wants it: its row function and its tables, with the code for registers or for scalars.
template <class Sweep, class Combine>
struct cpu_kernel {
    using combine = std::conditional_t<std::is_void_v<Combine>, combine_plus, Combine>;
    using T = sweep_lanes_t<Sweep, std::is_void_v<Combine>>;
    static constexpr int inputs = Sweep::inputs, outputs = Sweep::outputs;
    template <int... K>
    static constexpr bool any_bool_output(std::integer_sequence<int, K...>) {
        return (std::is_same_v<typename Sweep::template output_type<K>, bool> || ...);
    }
    /// On registers; the maximum of truth values, which are no register of T, is not.
    static constexpr bool vectorised =
        lanes_supported<T>() &&
        (std::is_void_v<Combine> || !any_bool_output(std::make_integer_sequence<int, outputs>{}));
    /// The same with complex numbers: their parts' type, or void.
    static constexpr auto complex_parts() {
        if constexpr (std::is_void_v<Combine> || std::is_same_v<Combine, combine_plus> ||
                      std::is_same_v<Combine, combine_multiply>)
            return complex_lanes<T>();
        else return std::type_identity<void>{};
    }
    using P = typename decltype(complex_parts())::type;
    static_assert(inputs + outputs <= max_operands, "ricci: too many leaves in one expression");

    template <bool Axes, int... I, int... O>
    static constexpr std::array<const item_copier*, inputs + outputs> all_copiers(std::integer_sequence<int, I...>,
                                                                                  std::integer_sequence<int, O...>) {
        if constexpr (Axes)
            return {&copier_of<typename Sweep::template input_type<I>>...,
                    &copier_of<typename Sweep::template output_type<O>>...};
        else
            return {&line_copier_of<typename Sweep::template input_type<I>>...,
                    &line_copier_of<typename Sweep::template output_type<O>>...};
    }
    template <int... I>
    static constexpr std::array<unsigned char, inputs + 1> input_items(std::integer_sequence<int, I...>) {
        return {sizeof(typename Sweep::template input_type<I>)..., 0};
    }
    template <int... I>
    static constexpr std::array<const output_rules*, outputs> output_tables(std::integer_sequence<int, I...>) {
        return {&typed_output_rules<combine, typename Sweep::template output_type<I>>::rules...};
    }
    template <int... I>
    static constexpr std::array<unsigned char, outputs> output_items(std::integer_sequence<int, I...>) {
        return {sizeof(typename Sweep::template output_type<I>)...};
    }
    /// Of operands that may have several axes, or one at most.
    template <bool Axes>
    static constexpr auto copiers =
        all_copiers<Axes>(std::make_integer_sequence<int, inputs>{}, std::make_integer_sequence<int, outputs>{});
    static constexpr auto in_item = input_items(std::make_integer_sequence<int, inputs>{});
    static constexpr auto tables = output_tables(std::make_integer_sequence<int, outputs>{});
    static constexpr auto out_item = output_items(std::make_integer_sequence<int, outputs>{});

    const Sweep& sweep;
    const unsigned char* merge;
    [[no_unique_address]] std::conditional_t<vectorised, simd_kernel, nothing> registers{};

    cpu_kernel(const Sweep& s, const unsigned char* m) : sweep(s), merge(m) {
        if constexpr (vectorised) {
            registers = simd_kernel{&sweep, nullptr, inputs, outputs, in_item.data(), out_item.data()};
            registers.span = span(registers.blocks);
        }
    }
    /// As loops over so many axes want it.
    template <int Rank>
    row_kernel row() const {
        row_kernel k{&sweep, nullptr, inputs, outputs, copiers<(Rank > 1)>.data(), tables.data(), merge, !vectorised};
        if constexpr (vectorised) {
            k.function = &registers;
            k.run = simd_row<T, Combine>::template run<(Rank > 1)>;
            k.takes_sheets = true;
            k.lanes = simd<T>::lanes;
            if constexpr (!std::is_void_v<Combine>)
                k.takes_blocks = simd_span<Sweep, T, merging::none, Combine>::unrolled;
            if constexpr (!std::is_void_v<Combine> && Rank > 1 && Sweep::inputs > 0)
                if constexpr (simd_span<Sweep, T, merging::none, Combine>::unrolled)
                    k.columns = column_span<Sweep, T, Combine>::run;
            if constexpr (Sweep::reverse) {
                k.add = add_row<T>;
                k.adds_apart = registers.blocks;
            }
        } else if constexpr (!std::is_void_v<P>) {
            k.run = complex_row<Sweep, P, Combine>::run;
            k.any_step = false;
            if constexpr (Sweep::reverse) k.add = add_row<P>;
        } else if constexpr (std::is_same_v<Combine, combine_or> && lanes_supported<T>()) {
            k.run = truth_row<Sweep, T>::run;
            k.any_step = false;
        } else {
            k.run = scalar_row<Sweep, Combine>::run;
            k.takes_blocks = std::is_same_v<Combine, combine_or>;
        }
        return k;
    }

   private:
    /// The span for the way in which outputs meet: when all adjoints belong to one leaf their sum stays in one
    /// register.
    span_function span(bool& blocks) const {
        blocks = false;
        // which codes are worth compiling: two adjoints are one or apart, many are hardly ever all apart
        constexpr int adjoint_count = [] {
            int n = 0;
            for (int k = 0; k < outputs; ++k) n += Sweep::out.at[k].variable != Sweep::slots;
            return n;
        }();
        if constexpr (!Sweep::reverse || adjoint_count < 2) {
            return simd_span<Sweep, T, merging::none, Combine>::run;
        } else if constexpr (each_apart == all_groups) {  // derivatives with respect to one slot
            return simd_span<Sweep, T, merging::all, Combine>::run;
        } else {
            const bool none = merged_as(each_apart.data()), all = merged_as(all_groups.data());
            if (all) return simd_span<Sweep, T, merging::all, Combine>::run;
            if constexpr (adjoint_count <= 4)
                if (none) return simd_span<Sweep, T, merging::none, Combine>::run;
            if constexpr (adjoint_count == 2 && Sweep::order == 0) {
                return simd_span<Sweep, T, merging::none, Combine>::run;
            } else {
                blocks = true;
                return simd_span<Sweep, T, merging::table, Combine>::run;
            }
        }
    }
    bool merged_as(const unsigned char* table) const { return std::memcmp(merge, table, outputs) == 0; }
    template <int... K>
    static constexpr std::array<unsigned char, outputs> group_table(std::integer_sequence<int, K...>) {
        return {static_cast<unsigned char>(step_outputs<Sweep, scalar_domain, merging::all>::template group<K>)...};
    }
    static constexpr auto each_apart = [] {
        std::array<unsigned char, outputs> t{};
        for (std::size_t k = 0; k < t.size(); ++k) t[k] = static_cast<unsigned char>(k);
        return t;
    }();
    static constexpr auto all_groups = group_table(std::make_integer_sequence<int, outputs>{});
};

}  // namespace detail
}  // namespace ricci
