// expect only: ricci: save_npz is of ricci/io\.hpp
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    ricci::save_npy("x.npy", x);
#else
    ricci::save_npz("x.npz", {{"x", x}});
#endif
}
