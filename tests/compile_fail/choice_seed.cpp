// expect: ricci: a seed makes a generator
#include <ricci/ricci.hpp>

using namespace ricci;

int main() {
    const tensor<double, 2> x{{1, 2}, {3, 4}};
    const tensor<int, 2> k{{1, 0}, {1, 1}};
#ifdef RICCI_FIXED
    const auto y = random::choice(x, {3}, generator(42));
#else
    const auto y = random::choice(x, {3}, 42);
#endif
    return static_cast<int>(y.size() + k.size()) == 0;
}
