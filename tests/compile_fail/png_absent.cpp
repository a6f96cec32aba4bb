// expect: ricci: load_png needs libpng: define RICCI_USE_PNG \(CMake: link ricci::png\)
#include <ricci/io.hpp>

int main() {
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::load_npy<float, 3>("x.npy").size());
#else
    return static_cast<int>(ricci::load_png<float, 3>("x.png").size());
#endif
}
