// expect only: ricci: stride, padding and the like are options by name: {.stride = {2, 1}}
#include <ricci/ricci.hpp>

int main() {
    const auto x = ricci::ones({1, 1, 4, 4});
#ifdef RICCI_FIXED
    return static_cast<int>(conv2d(x, ricci::ones({1, 1, 2, 2}), ricci::ones({1}), {.stride = {2, 1}}).size());
#else
    return static_cast<int>(conv2d(x, ricci::ones({1, 1, 2, 2}), ricci::ones({1}), {2, 1}).size());
#endif
}
