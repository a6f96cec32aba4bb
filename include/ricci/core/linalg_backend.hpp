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
    static_assert(requires { sizeof(linalg_backend<D>); },
                  "ricci: linear algebra on a GPU needs cuSOLVER: define RICCI_USE_CUSOLVER (CMake: link ricci::cusolver)");
}

}  // namespace detail
}  // namespace ricci
