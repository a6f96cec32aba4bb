// Thrust's algorithms on the device: in the order of its stream, with memory from its pool, errors as ricci's.
#pragma once
#include "device.hpp"

namespace ricci::detail {

#if defined(RICCI_HAS_GPU)

/// What algorithms of Thrust's take for the time that they run.
class scratch_memory {
   public:
    using value_type = char;
    char* allocate(std::ptrdiff_t bytes) {
        blocks_.push_back(allocate_device_memory(static_cast<std::size_t>(bytes)));
        return static_cast<char*>(blocks_.back().data());
    }
    void deallocate(char* data, std::size_t) {
        for (auto& block : blocks_)
            if (block.data() == data) {
                block = std::move(blocks_.back());
                return blocks_.pop_back();
            }
    }

   private:
    std::vector<storage> blocks_;
};
/// f(policy), which calls one of Thrust's algorithms.
template <class F>
void call_thrust(const F& f) {
    scratch_memory scratch;
    try {
#if THRUST_VERSION >= 101600
        f(thrust::cuda::par_nosync(scratch).on(device_stream()));
#else
        f(thrust::cuda::par(scratch).on(device_stream()));
#endif
    } catch (const thrust::system_error& e) {
        throw device_error(std::string("[cuda] ") + e.what());
    }
}

#else

template <class F>
void call_thrust(const F& f) {
    RICCI_DEVICE_WORK(kernel);
    f(thrust::device);
}

#endif

}  // namespace ricci::detail
