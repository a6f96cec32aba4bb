// expect: from_span
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    const std::vector<double> list{1, 2};
#ifdef RICCI_FIXED
    const auto a = rc::from_span(list);
    (void)a;
#else
    const rc::tensor a = list;
    (void)a;
#endif
}
