// expect: not_a_kind_of_dtype
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    return ricci::isdtype<float>("real floating");
#else
    return ricci::isdtype<float>("floating");
#endif
}
