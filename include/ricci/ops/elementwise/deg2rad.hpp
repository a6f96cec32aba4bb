// Degrees to radians.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct deg2rad : floating {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return x * S(0.017453292519943295);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return y_bar * 0.017453292519943295;
    }
};
}  // namespace ops

/// Each element times pi / 180; integers promoted to double. At most 1 ulp. Derivative pi / 180.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto deg2rad(E&& x) {
    return map<ops::deg2rad>(std::forward<E>(x));
}
}  // namespace ricci
