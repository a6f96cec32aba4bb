// expect only: ricci: load_npz is told type, rank and name, load_npz<double, 2>\(path, "x"\)
#include <ricci/io.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::load_npz<double, 2>("x.npz", "a");
#else
    (void)rc::load_npz("x.npz", "a");
#endif
}
