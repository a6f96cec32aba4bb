// Fourier transforms by cuFFT: RICCI_USE_CUFFT (CMake: ricci::cufft). Plans are kept and shared by threads.
#pragma once
#include "fft_plan.hpp"

#if defined(RICCI_USE_CUFFT)
#if !defined(RICCI_HAS_GPU)
#error "RICCI_USE_CUFFT needs nvcc and Thrust's CUDA system"
#endif
#include <cufft.h>

#include <mutex>

namespace ricci::detail {

inline void check_cufft(cufftResult status, const char* what) {
    if (status != CUFFT_SUCCESS)
        throw device_error(std::string("[cufft] ") + what + ": error " + std::to_string(static_cast<int>(status)));
}

/// A plan without memory of its own: work areas come from the device's pool for each run, in the stream's order.
struct cufft_plan {
    cufftHandle handle;
    std::size_t work_bytes;
};
inline cufft_plan make_cufft_plan(const fft_call& c) {
    constexpr cufftType types[2][3] = {{CUFFT_C2C, CUFFT_R2C, CUFFT_C2R}, {CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D}};
    cufft_plan plan{};
    check_cufft(cufftCreate(&plan.handle), "cufftCreate");
    try {
        // strides count where embedding extents are given, of which rank 1 reads none
        long long n[] = {c.n}, from[] = {c.n}, to[] = {c.n};
        check_cufft(cufftSetAutoAllocation(plan.handle, 0), "cufftSetAutoAllocation");
        check_cufft(cufftMakePlanMany64(plan.handle, 1, n, from, c.stride, c.from_distance, to, c.stride, c.to_distance,
                                        types[c.wide][static_cast<int>(c.kind)], c.batch, &plan.work_bytes),
                    "cufftMakePlanMany64");
        check_cufft(cufftSetStream(plan.handle, device_stream()), "cufftSetStream");
    } catch (...) {
        cufftDestroy(plan.handle);
        throw;
    }
    return plan;
}

/// Runs fft_calls. A plan has one work area at a time, so that one thread enqueues at a time.
struct cufft_execute {
    template <class X, class Y>
    void operator()(fft_call call, const X* from, Y* to, bool inverse) const {
        static std::mutex& mutex = *new std::mutex;  // outlive whatever static destructors transform
        static auto& plans = *new recent_plans<fft_call, cufft_plan, 64>;
        call.device = current_device();
        const std::lock_guard<std::mutex> alone(mutex);
        const cufft_plan plan =
            plans.get(call, make_cufft_plan, [](const cufft_plan& old) { cufftDestroy(old.handle); });
        const storage work = allocate_device_memory(plan.work_bytes);
        if (plan.work_bytes > 0) check_cufft(cufftSetWorkArea(plan.handle, work.data()), "cufftSetWorkArea");
        check_cufft(enqueue(plan.handle, const_cast<X*>(from), to, inverse), "cufftExec");
    }

   private:
    static cufftResult enqueue(cufftHandle p, std::complex<float>* x, std::complex<float>* y, bool inverse) {
        return cufftExecC2C(p, reinterpret_cast<cufftComplex*>(x), reinterpret_cast<cufftComplex*>(y),
                            inverse ? CUFFT_INVERSE : CUFFT_FORWARD);
    }
    static cufftResult enqueue(cufftHandle p, std::complex<double>* x, std::complex<double>* y, bool inverse) {
        return cufftExecZ2Z(p, reinterpret_cast<cufftDoubleComplex*>(x), reinterpret_cast<cufftDoubleComplex*>(y),
                            inverse ? CUFFT_INVERSE : CUFFT_FORWARD);
    }
    static cufftResult enqueue(cufftHandle p, float* x, std::complex<float>* y, bool) {
        return cufftExecR2C(p, x, reinterpret_cast<cufftComplex*>(y));
    }
    static cufftResult enqueue(cufftHandle p, double* x, std::complex<double>* y, bool) {
        return cufftExecD2Z(p, x, reinterpret_cast<cufftDoubleComplex*>(y));
    }
    static cufftResult enqueue(cufftHandle p, std::complex<float>* x, float* y, bool) {
        return cufftExecC2R(p, reinterpret_cast<cufftComplex*>(x), y);
    }
    static cufftResult enqueue(cufftHandle p, std::complex<double>* x, double* y, bool) {
        return cufftExecZ2D(p, reinterpret_cast<cufftDoubleComplex*>(x), y);
    }
};

}  // namespace ricci::detail
#elif defined(RICCI_HAS_GPU)
namespace ricci::detail {

struct cufft_execute {
    template <class X, class Y>
    void operator()(const fft_call&, const X*, Y*, bool) const {
        static_assert(
            always_false<X>,
            "ricci: Fourier transforms on a GPU need cuFFT: define RICCI_USE_CUFFT (CMake: link ricci::cufft)");
    }
};

}  // namespace ricci::detail
#endif
