// expect: ricci: the number of axes is part of an array's type
#include <ricci/ricci.hpp>

int main() {
    const std::vector<int> extents{2, 3};
    const auto x = ricci::arange(6);
#ifdef RICCI_FIXED
    return static_cast<int>(x.reshape({extents[0], extents[1]}).size());
#else
    return static_cast<int>(x.reshape(extents).size());
#endif
}
