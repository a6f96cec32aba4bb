// expect only: ricci: a seed is a generator's, which functions take last: random::normal\(\{3, 4\}, generator\(42\)\)
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = rc::random::normal({3, 4}, rc::generator(42));
#else
    const auto y = rc::random::seed(42);
#endif
    return static_cast<int>(sizeof y);
}
