// Where tensors live: the CPU, and what a device is.
#pragma once
#include <concepts>

#include "storage.hpp"

namespace ricci {

/// Host memory, computed on by SIMD and threads.
struct cpu_device {
    static constexpr const char* name = "cpu";
    static storage allocate(std::size_t bytes) { return storage::allocate(bytes); }
};
inline constexpr cpu_device cpu{};

/// A type that says where a tensor lives: ricci::cpu_device, ricci::cuda_device.
template <class D>
concept device_tag = requires(std::size_t bytes) {
    { D::allocate(bytes) } -> std::same_as<storage>;
};

}  // namespace ricci
