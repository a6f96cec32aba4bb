// expect only: ricci: ricci::rand\(\{3, 4\}\) is uniform in \[0, 1\), as random::uniform\(\{3, 4\}\) is
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
    [[maybe_unused]] const rc::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = rc::rand({3, 4});
#else
    const auto y = rc::random::rand(3, 4);
#endif
    return static_cast<int>(sizeof y);
}
