// Fixed tensors as arguments of transforms: lifted as tensors, their gradients fixed tensors again.
#pragma once
#include "../core/fixed_tensor.hpp"
#include "structure.hpp"

namespace ricci::detail {

template <class T, index_t... Extents>
struct structure<fixed_tensor<T, Extents...>> {
    static_assert(element<T>,
                  "ricci: transforms take fixed tensors of numbers: duals are what forward mode makes of them");
    static constexpr int count = 1, parts = 1;
    template <class As = as_argument_of<true>>
    static auto arrays(const fixed_tensor<T, Extents...>& x, const As& = {}) {
        return make_pack(x.fetch());
    }
    template <class F>
    static auto map(const fixed_tensor<T, Extents...>& x, const F& f) {
        return f(x);
    }
    /// The array itself while it is wrapped, or where it has more axes, as Jacobians have.
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        const auto& a = get<Offset>(arrays);
        using A = std::remove_cvref_t<decltype(a)>;
        if constexpr (std::is_void_v<typename A::wrapper> && A::rank == sizeof...(Extents))
            return fixed_tensor<typename A::value_type, Extents...>(a);
        else return a;
    }
};

}  // namespace ricci::detail
