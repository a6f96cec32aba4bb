// expect: ricci: planning needs FFTW: define RICCI_USE_FFTW \(CMake: link ricci::fftw\)
#include <ricci/ops/fft.hpp>

int main() {
#ifndef RICCI_FIXED
    ricci::fft::set_planning(ricci::fft::measure);
#endif
}
