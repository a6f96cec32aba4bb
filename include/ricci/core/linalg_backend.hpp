// Who decomposes matrices: linalg_backend, which each device that can specialises.
#pragma once
#include "tensor.hpp"

namespace ricci {

/// The decompositions of stacks of dense matrices on one device (cpu/linalg.hpp).
template <class Device>
struct linalg_backend;

namespace detail {

template <class D>
constexpr void want_linalg() {
    static_assert(std::is_same_v<D, cpu_device>, "ricci: linalg runs on the CPU only: x.to(ricci::cpu)");
}

}  // namespace detail
}  // namespace ricci
