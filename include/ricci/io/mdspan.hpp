// Tensors as std::mdspan and back, where the standard library has it (C++23).
#pragma once
#include <version>

#if defined(__cpp_lib_mdspan)
#include <mdspan>

#include "../core/tensor.hpp"
#include "../expr/view.hpp"

namespace ricci {

/// A view of a CPU tensor's elements with its strides, valid while a handle on them is. Throws value_error for strides
/// that std::layout_stride cannot have: negative ones, 0 of an axis that was expanded, and those of windows that
/// overlap.
template <class T, int R>
auto to_mdspan(const tensor<T, R>& x) {
    using extents = std::dextents<index_t, R>;
    std::array<index_t, R> sizes{}, strides{};
    for (int i = 0; i < R; ++i) {
        sizes[i] = x.shape()[i];
        strides[i] = x.shape()[i] > 1 ? x.strides()[i] : x.strides()[i] > 0 ? x.strides()[i] : 1;
        if (x.shape()[i] > 1 && x.size() > 0 && strides[i] <= 0)
            detail::raise<value_error>({"[to_mdspan] a view of strides ", x.strides(), ": they must be positive"});
        if (strides[i] <= 0) strides[i] = 1;
    }
    if (x.size() > 0 && !detail::shows_once(detail::view_of_memory(x.shape(), x.strides())))
        detail::raise<value_error>({"[to_mdspan] a view of shape ", x.shape(), " and strides ", x.strides(),
                                    ": it shows an element more than once"});
    return std::mdspan<T, extents, std::layout_stride>(x.data(),
                                                       std::layout_stride::mapping<extents>(extents(sizes), strides));
}

/// A tensor over the elements of a std::mdspan, which the caller keeps alive for as long as anything uses it.
template <class T, class Extents, class Layout>
    requires(std::mdspan<T, Extents, Layout>::is_always_strided())
tensor<T, static_cast<int>(Extents::rank())> borrow(const std::mdspan<T, Extents, Layout>& m) {
    constexpr int R = static_cast<int>(Extents::rank());
    shape<R> extents, strides;
    for (int i = 0; i < R; ++i) {
        extents[i] = static_cast<index_t>(m.extent(i));
        strides[i] = static_cast<index_t>(m.stride(i));
    }
    detail::check_extents(extents, sizeof(T), "borrow");
    auto* data = const_cast<std::remove_const_t<T>*>(m.data_handle());
    const auto memory = storage::borrow(data, static_cast<std::size_t>(m.mapping().required_span_size()) * sizeof(T));
    return {memory.template for_elements<T>(), m.data_handle(), extents, strides};
}

}  // namespace ricci
#endif
