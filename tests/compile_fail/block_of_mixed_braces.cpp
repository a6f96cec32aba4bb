// expect: ricci: braces join arrays of one type, and expressions differ in theirs: write rc::tuple
#include <ricci/ricci.hpp>

int main() {
    const auto a = ricci::eye(2);
#ifdef RICCI_FIXED
    const auto b = ricci::block(ricci::tuple(ricci::tuple(a, 2.0 * a), ricci::tuple(a, a)));
#else
    const auto b = ricci::block({{a, 2.0 * a}, {a, a}});
#endif
    return static_cast<int>(b.size());
}
