// expect only: ricci: load_csv is told the type of elements: load_csv<double>\(path\)
#include <ricci/io.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    (void)rc::load_csv<double>("x.csv");
#else
    (void)rc::load_csv("x.csv");
#endif
}
