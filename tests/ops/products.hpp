// The arrays of golden/products.hpp, and checks of calls of them.
#pragma once
#include "../golden/products.hpp"
#include "calls.hpp"

namespace products {

using namespace ricci;

/// Whole numbers, with whole imaginary parts where T has them.
template <class T, int R>
tensor<T, R> whole(reference::layout l, const shape<R>& extents, int k) {
    return reference::make<T>(l, extents, [k](index_t i) {
        const auto x = static_cast<real_t<T>>(37 * i % 11 - 5 + k);
        if constexpr (is_complex_v<T>) return T(x, static_cast<real_t<T>>(29 * i % 7 - 3));
        else return x;
    });
}

}  // namespace products

#define RICCI_MAKE_ARRAY(name, extents, k) \
    [[maybe_unused]] const auto name = products::whole<T>(l, ricci::shape{RICCI_STRIP extents}, k);
