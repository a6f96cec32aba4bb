// What a sum keeps for the way back where its value is asked for before a cotangent is there.
#pragma once
#include <optional>

#include "../expr/fused.hpp"
#include "../expr/lift.hpp"

namespace ricci::detail {

/// Whether the value of such a sum is computed together with its adjoints for a cotangent of one: those for any other
/// are these times it. Else the terms would be computed again on the way back, and that costs more than memory where
/// there is an exponential or so for each adjoint. Of wrapped arrays nothing is kept: what is kept would have
/// derivatives of its own.
template <class Op, class Active, class... X>
constexpr bool keeps_adjoints() {
    if constexpr (!Op::value_with_gradient || Active::count == 0 || !(std::is_void_v<typename X::wrapper> && ...)) {
        return false;
    } else {
        using T = typename Op::sweep_type::value_type;
        constexpr int least_cost = 12;  // of an exponential
        if constexpr (!requires { requires executor<typename common_device<X...>::type>::template scales<T>; })
            return false;
        else
            return tree_cost_v<typename Op::sweep_type::tree_type> >= least_cost * Active::count &&
                   []<int... I>(std::integer_sequence<int, I...>) {
                       return ((!Active::at[I] || std::is_same_v<typename X::value_type, T>) && ...);
                   }(std::make_integer_sequence<int, sizeof...(X)>());
    }
}

/// The adjoints of the active inputs, of type X, of the sum Op for a cotangent of one.
template <class Op, class Active, class... X>
class kept_adjoints {
    static constexpr int rank = Op::rank;
    using inputs_type = pack<const X*...>;
    using executor_type = executor<typename common_device<X...>::type>;

   public:
    bool any() const { return adjoints_.has_value(); }
    void reset() { adjoints_.reset(); }

    /// Whether an adjoint is one product for each element: where an input was broadcast along an axis that is not
    /// summed, it is the sum of many, and short rows are faster computed again.
    static bool fits(const Op& op, const inputs_type& inputs) {
        constexpr index_t short_row = 16;
        bool good = true;
        for_indices<sizeof...(X)>([&](auto i) {
            if constexpr (Active::at[i()]) {
                const auto extents = pad_front<rank>(get<i()>(inputs)->shape());
                for (int d = 0; d < rank; ++d) good = good && (op.padded[0][d] == 1 || op.padded[0][d] == extents[d]);
                const auto rows = executor_type::scaled_rows(extents, op.padded[0]);
                good = good && (rows.count() == 1 || rows.length() >= short_row);
            }
        });
        return good;
    }
    /// Computes them; gives the value. Those with merged[k] != k are part of another one.
    auto compute(const Op& op, const unsigned char* merged, const inputs_type& inputs) {
        adjoints_ = computed(op, merged, inputs);
        return std::move(get<Active::count>(*adjoints_));
    }
    /// The adjoints for a cotangent; nothing where those that are kept might overflow or vanish though their products
    /// do not, or where there are infinities or NaN: these depend on the order of the products. With Last they are not
    /// used again.
    template <class C>
    auto times(const C& bar, const Op& op, const unsigned char* merged, bool last) {
        const shape<rank> beside = bar.shape().count() == op.padded[0].count() ? op.padded[0] : unit_shape<rank>();
        auto scaled = *adjoints_;
        if (last) reset();
        bool good = true;
        for_indices<Active::count>([&](auto k) {
            auto& x = get<k()>(scaled);
            if (merged[k()] != k() || !good) return;
            const auto y = last ? x : std::remove_cvref_t<decltype(x)>::uninitialized(x.shape());
            good = executor_type::scale(x, y, executor_type::scaled_rows(pad_front<rank>(x.shape()), beside), bar);
            x = y;
        });
        return good ? std::optional(std::move(scaled)) : std::nullopt;
    }

   private:
    static auto computed(const Op& op, const unsigned char* merged, const inputs_type& inputs) {
        using value = pack_element_t<0, decltype(call_all(op, inputs))>;
        const auto one = make_pack(constant_array<value>(unit_shape<value::rank>(), 1));
        const auto shapes = shapes_at(inputs, active_indices<Active>{});
        return op.template pullback_through<Active, true>(merged, nullptr, {}, nullptr, shapes, inputs, one);
    }
    std::optional<decltype(computed(std::declval<const Op&>(), nullptr, std::declval<const inputs_type&>()))> adjoints_;
};

}  // namespace ricci::detail
