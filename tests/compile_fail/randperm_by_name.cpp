// expect only: ricci: torch.randperm is random::permutation\(5\) here
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
#ifdef RICCI_FIXED
    const auto y = random::permutation(5);
#else
    const auto y = randperm(5);
#endif
    return static_cast<int>(y.size());
}
