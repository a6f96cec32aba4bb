// expect only: ricci: \{\{1, 2\}, \{3, 4\}\} is of rank 2, a tensor<T, 3> takes \{\{\{1, 2\}\}\}
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const rc::tensor<double, 3> y{{{1, 2}, {3, 4}}};
#else
    const rc::tensor<double, 3> y{{1, 2}, {3, 4}};
#endif
    return static_cast<int>(sizeof y);
}
