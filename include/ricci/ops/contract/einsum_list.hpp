// Einsums of three operands or more that are matrix products one after another.
#pragma once
#include <optional>

#include "einsum_steps.hpp"
#include "pair.hpp"

namespace ricci::detail {

/// The matrix products that N arrays are contracted by, where every pair lies as two matrices; the last one may be the
/// inner product of two vectors. It knows no types.
template <int N, int R>
struct einsum_products {
    struct product {
        int first, second;
        joined_matrices matrices;
    };
    product step[N] = {};
    shape<R> result = {}, strides = {};
    bool is_possible = false;
    bool ends_with_vectors = false;

    einsum_products() = default;
    template <int L>
    einsum_products(const einsum_steps<N>& steps, shape<L> (&extents)[N], shape<L> (&lying)[N]) : is_possible(true) {
        for (int k = 0; k + 1 < N && is_possible; ++k) {
            const auto [i, j, summed] = steps.step[k];
            shape<L> after = extents[i];
            for (int d = 0; d < L; ++d) {
                if (summed >> d & 1 && extents[i][d] != extents[j][d])
                    is_possible = false;  // one is to be summed alone
                if (after[d] == 1) after[d] = extents[j][d];
                if (summed >> d & 1) after[d] = 1;
            }
            const joined_matrices x(L, summed, -1, extents[i].extent, lying[i].extent, extents[j].extent,
                                    lying[j].extent);
            step[k] = {i, j, x};
            ends_with_vectors = R == 0 && k + 2 == N && x.are_vectors();
            is_possible = is_possible && (x.fits || ends_with_vectors);
            lying[i] = x.result_strides(after, extents[i]);
            extents[i] = after;
        }
        for (int d = 0; d < R; ++d) {
            result[d] = extents[steps.step[N - 2].first][d];
            strides[d] = lying[steps.step[N - 2].first][d];
        }
    }
};

/// Whether subscripts and types allow multiplied_list.
template <const einsum_layout& Layout, class First, class... X>
constexpr bool multiplies_list() {
    using T = std::remove_const_t<typename First::value_type>;
    bool are_plain =
        std::is_void_v<typename First::wrapper> &&
        ((std::is_void_v<typename X::wrapper> && std::is_same_v<std::remove_const_t<typename X::value_type>, T>) &&
         ...);
    for (int i = 0; i <= static_cast<int>(sizeof...(X)); ++i) {
        const axis_places& x = Layout.operand[i];
        are_plain = are_plain && x.alone == 0 && x.repeated().first == x.count;
    }
    return are_plain;
}
/// f(k, number) for each extent and stride of the operands, counted.
template <class F, class... X>
void for_layouts(const F& f, const X&... x) {
    int at = 0;
    const auto of = [&](const auto& operand) {
        for (int d = 0; d < std::remove_cvref_t<decltype(operand)>::rank; ++d) {
            f(at++, operand.shape()[d]);
            f(at++, operand.strides()[d]);
        }
    };
    (of(x), ...);
}
/// The products of plain operands. They are kept for the next call of the same einsum in this thread: to check extents,
/// to find an order and matrices takes longer than to multiply small ones.
template <fixed_string Text, const einsum_layout& Layout, class... X>
const auto& known_einsum_products(const X&... x) {
    constexpr int N = sizeof...(X), L = Layout.axes, R = Layout.result_rank;
    struct known_products {
        bool found;
        index_t given[2 * (X::rank + ...) + 1];  // extents and strides
        einsum_products<N, R> are;
    };
    static thread_local known_products known = {};
    bool is_known = known.found;
    for_layouts([&](int at, index_t number) { is_known = is_known && known.given[at] == number; }, x...);
    if (!is_known) [[unlikely]] {
        known.found = false;
        for_layouts([&](int at, index_t number) { known.given[at] = number; }, x...);
        const int rank[] = {X::rank...};
        shape<L> extents[N], lying[N];
        const index_t* at = known.given;
        for (int i = 0; i < N; ++i) {
            extents[i] = unit_shape<L>();
            lying[i] = {};
            for (int d = 0; d < rank[i]; ++d) {
                const int place = Layout.operand[i].at[d];
                extents[i][place] = *at++;
                lying[i][place] = *at++;
            }
        }
        const extents_ref shapes[] = {{x.shape().extent, X::rank}...};
        known.are = einsum_products<N, R>(einsum_steps<N>(extents, Layout, Text.text, shapes), extents, lying);
        known.found = true;
    }
    return known.are;
}
/// The contraction of plain arrays, where extents and strides make all its steps matrix products as they lie; nothing,
/// for contract_op to do, where they do not.
template <fixed_string Text, const einsum_layout& Layout, class First, class... X>
auto multiplied_list(const First& first, const X&... x) {
    constexpr int N = 1 + sizeof...(X), R = Layout.result_rank;
    using T = std::remove_const_t<typename First::value_type>;
    using D = typename First::device_type;
    std::optional<tensor<T, R, D>> c;
    const einsum_products<N, R>& products = known_einsum_products<Text, Layout>(first, x...);
    if (!products.is_possible) return c;
    const T* from[] = {first.data(), x.data()...};
    using vector = tensor<T, 1, D>;
    vector made[N];
    for (int k = 0; k + 2 < N; ++k) {
        const auto& [i, j, matrices] = products.step[k];
        vector y = vector::uninitialized({matrices.rows.extent * matrices.columns.extent});
        multiply_joined<D>(matrices, from[i], from[j], y.data());
        made[i] = std::move(y);
        made[j] = vector();
        from[i] = made[i].data();
    }
    const auto& [i, j, matrices] = products.step[N - 2];
    if constexpr (R == 0) {
        if (products.ends_with_vectors) {
            const auto borrowed = [](const T* data, const joined_axes& axis) {
                return vector(storage(), const_cast<T*>(data), {axis.extent}, {axis.step});
            };
            c.emplace(evaluate_as<T>(sum(borrowed(from[i], matrices.a_inner) * borrowed(from[j], matrices.b_inner))));
            return c;
        }
    }
    const auto y = tensor<T, R, D>::uninitialized(products.result);
    multiply_joined<D>(matrices, from[i], from[j], y.data());
    c.emplace(y.memory(), y.data(), products.result, products.strides);
    return c;
}

}  // namespace ricci::detail
