// expect only: ricci: the path comes first: save_npy\("x\.npy", x\)
#include <ricci/io.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    rc::save_npy("x.npy", x);
#else
    save_npy(x, "x.npy");
#endif
}
