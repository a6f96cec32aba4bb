// expect: ricci: .auto y = a . b. is an expression, which nothing can be assigned to
#include <ricci/ricci.hpp>

int main() {
    const auto a = ricci::sparse_eye(3);
#ifdef RICCI_FIXED
    a.values(0) = 5.0;
#else
    a(0, 0) = 5.0;
#endif
    return static_cast<int>(a.nnz());
}
