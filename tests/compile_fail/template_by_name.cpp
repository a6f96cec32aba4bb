// expect: no contextual type information|ricci: a transform takes a lambda and options of its own
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor v{1.0, 2.0};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::vmap([](auto x) { return relu(x); })(v).size());
#else
    return static_cast<int>(ricci::vmap(ricci::relu)(v).size());
#endif
}
