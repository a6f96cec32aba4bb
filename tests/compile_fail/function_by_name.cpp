// expect: ricci: a transform takes a lambda
#include <ricci/ricci.hpp>

int main() {
    using namespace ricci;
    const tensor v{1.0, 2.0};
#ifdef RICCI_FIXED
    return static_cast<int>(vmap([](auto x) { return sin(x); })(v).size());
#else
    return static_cast<int>(vmap(sin)(v).size());
#endif
}
