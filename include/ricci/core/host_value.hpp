// The value of any expression as a tensor that the CPU can read, for printing and files.
#pragma once
#include "tensor.hpp"

namespace ricci::detail {

/// A tensor itself if it is on the CPU, else its copy there; a lazy expression's value.
template <expression E>
auto host_value(const E& e) {
    if constexpr (requires { e.memory(), e.data(), e.strides(); }) return e.to(cpu);
    else return tensor<value_type_t<E>, rank_v<E>, device_t<E>>(e).to(cpu);
}

}  // namespace ricci::detail
