// expect only: ricci: load_npy is told type and rank
#include <ricci/io.hpp>

int main() {
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::load_npy<double, 2>("x.npy").size());
#else
    return static_cast<int>(ricci::load_npy<double>("x.npy").size());
#endif
}
