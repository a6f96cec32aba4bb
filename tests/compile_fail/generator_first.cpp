// expect only: ricci: the shape comes first, the generator last: normal\({3, 4}, generator\(42\)\)
#include <ricci/ricci.hpp>

int main() {
    ricci::generator g(42);
#ifdef RICCI_FIXED
    const auto y = ricci::random::normal({3, 4}, g);
#else
    const auto y = ricci::random::normal(g, {3, 4});
#endif
    return static_cast<int>(y.size());
}
