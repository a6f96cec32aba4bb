// expect only: ricci: a vector or span becomes an array by from_span\(v\), which copies, or borrow\(v\)
#include <ricci/ricci.hpp>
#include <vector>

int main() {
    namespace rc = ricci;
    const std::vector<double> v{1, 2};
#ifdef RICCI_FIXED
    rc::save_npy("x.npy", rc::from_span(v));
#else
    rc::save_npy("x.npy", v);
#endif
}
