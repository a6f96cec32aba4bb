// expect: ricci: save_npz_compressed needs zlib: define RICCI_USE_ZLIB \(CMake: link ricci::zlib\)
#include <ricci/io.hpp>

int main() {
    const ricci::tensor<float, 1> x{1, 2};
#ifdef RICCI_FIXED
    ricci::save_npz("x.npz", {{"x", x}});
#else
    ricci::save_npz_compressed("x.npz", {{"x", x}});
#endif
}
