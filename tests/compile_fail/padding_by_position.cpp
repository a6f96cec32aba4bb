// expect only: ricci: stride, padding and the like are options: max_pool2d\(x, 2, {.stride = 2, .padding = 1}\)
#include <ricci/ricci.hpp>

int main() {
    const auto x = ricci::ones({1, 1, 4, 4});
    const auto w = ricci::ones({2, 1, 3, 3});
    const auto b = ricci::ones({2});
#ifdef RICCI_FIXED
    return static_cast<int>(conv2d(x, w, b, {.stride = 2, .padding = 1}).size());
#else
    return static_cast<int>(conv2d(x, w, b, 2, 1).size());
#endif
}
