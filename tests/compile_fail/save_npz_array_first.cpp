// expect only: ricci: the path comes first, and each array has a name
#include <ricci/io.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    rc::save_npz("x.npz", {{"x", x}});
#else
    save_npz(x, "x.npz");
#endif
}
