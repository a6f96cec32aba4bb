// Which library transforms: FFTW with RICCI_USE_FFTW (CMake: ricci::fftw), else the own code.
#pragma once

// Code that depends on it is named after the answer: a program may have translation units of both kinds.
#if defined(RICCI_USE_FFTW)
#define RICCI_FFT_NAMESPACE with_fftw
#else
#define RICCI_FFT_NAMESPACE without_fftw
#endif

namespace ricci::detail {
inline namespace RICCI_FFT_NAMESPACE {

struct fft_library {
#if defined(RICCI_USE_FFTW)
    static constexpr bool is_fftw = true;
#else
    static constexpr bool is_fftw = false;
#endif
};

}  // namespace RICCI_FFT_NAMESPACE
}  // namespace ricci::detail
