// expect only: ricci: the path comes first: save_csv\("x\.csv", x\)
#include <ricci/io.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    rc::save_csv("x.csv", x);
#else
    save_csv(x, "x.csv");
#endif
}
