// expect only: ricci: \{\{1, 2\}, \{3, 4\}\} is of rank 2, and a tensor<T, 1> takes \{1, 2, 3\}
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#else
    const ricci::tensor<double, 1> x{{1, 2}, {3, 4}};
#endif
    return static_cast<int>(x.size());
}
