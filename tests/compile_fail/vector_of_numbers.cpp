// expect: ricci: transforms take numbers as one array: asarray\(v\) of a std::vector of numbers
#include <ricci/ricci.hpp>

int main() {
    const std::vector<double> v{1, 2};
    const auto f = [](const auto& x) { return sum(x * x); };
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::grad(f)(ricci::asarray(v)).size());
#else
    return static_cast<int>(ricci::grad(f)(v).size());
#endif
}
