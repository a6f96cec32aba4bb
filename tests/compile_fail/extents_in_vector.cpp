// expect: ricci: the number of axes is part of an array's type
#include <ricci/ricci.hpp>

int main() {
    const std::vector<int> extents{2, 3};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::zeros({extents[0], extents[1]}).size());
#else
    return static_cast<int>(ricci::zeros(extents).size());
#endif
}
