// Where outputs of fused ops go: windows on larger arrays, and arrays that exist.
#pragma once
#include "../core/tensor.hpp"

namespace ricci::detail {

/// Where the elements of an output lie in a larger, dense array, in elements. Outputs of one `home` are added up in the
/// array that output `home` gives, which is zero elsewhere; the others come back empty. Or `whole`: an output as any
/// other.
template <int Rank>
struct output_window {
    bool whole;
    unsigned char home;
    index_t offset;
    shape<Rank> strides;
};

/// Arrays that outputs are added to: for each output where their elements lie, dense, or null where it has none.
struct added_arrays {
    void* const* at = nullptr;
    bool in_batch_order = false;  // (cpu/bind.hpp), all of them; else row-major

    explicit operator bool() const { return at != nullptr; }
    void* operator[](int k) const { return at[k]; }
};

/// Whether fused ops on such arrays can write through windows: the wrappers hand them on, the device takes them.
template <class A>
constexpr bool takes_windows() {
    if constexpr (std::is_void_v<typename A::wrapper>)
        return !is_complex_v<typename A::value_type> && requires { executor<typename A::device_type>::takes_windows; };
    else if constexpr (requires { requires A::wrapper::hands_on_windows; })
        return takes_windows<typename A::inner_type>();
    else return false;
}

/// Whether fused ops on such arrays can add their outputs to arrays that exist.
template <class A>
constexpr bool takes_additions() {
    if constexpr (std::is_void_v<typename A::wrapper>)
        return !std::is_const_v<typename A::element_type> && !is_half_v<typename A::value_type> &&  // computed wider
               requires { executor<typename A::device_type>::takes_additions; };
    else if constexpr (requires { requires A::wrapper::hands_on_additions; })
        return takes_additions<typename A::inner_type>();
    else return false;
}

}  // namespace ricci::detail
