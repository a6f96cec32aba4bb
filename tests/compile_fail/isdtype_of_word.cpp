// expect: not_a_kind_of_dtype|consteval function 'ricci::dtype_kind::dtype_kind' is not a constant
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    return ricci::isdtype<float>("real floating");
#else
    return ricci::isdtype<float>("floating");
#endif
}
