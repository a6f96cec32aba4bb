// expect only: ricci: the order of a grid has no name: meshgrid\(x, y, indexing::ij\)
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor<double, 1> v{1, 2, 3};
#ifdef RICCI_FIXED
    const auto [a, b] = meshgrid(v, v, indexing::ij);
#else
    const auto [a, b] = meshgrid(v, v, {.indexing = "ij"});
#endif
    return static_cast<int>(a.size() + b.size());
}
