// Complex numbers from their parts.
#pragma once
#include "negative.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {

/// The lanes of both parts: the rules write complex(y_bar, 0).
template <class A, class B>
struct part_of {
    using type = std::conditional_t<std::is_arithmetic_v<A>, B, A>;
};
template <class A, class B>
    requires(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
struct part_of<A, B> {
    using type = inexact_t<std::common_type_t<A, B>>;
};

}  // namespace detail
namespace ops {
struct complex {
    static constexpr bool differentiable = true;
    template <class... K>
    struct part {
        using type = inexact_t<common_t<K...>>;
        static_assert(!is_complex_v<type>,
                      "ricci: the parts of a complex number are real: take real() and imag() first");
    };
    template <int, class... K>
    using argument = typename part<K...>::type;
    template <class... K>
    using result = std::complex<typename part<K...>::type>;

    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& re, const B& im) {
        using S = typename detail::part_of<A, B>::type;
        return typename detail::complex_of<S>::type(S(re), S(im));
    }
    template <class D, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const A&, const B&, const R&) {
        return adjoints(ricci::complex(x_dot, 0), ricci::complex(0, x_dot));
    }
    /// Re(y_bar (a_dot + i b_dot)) = Re(y_bar) a_dot - Im(y_bar) b_dot
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A&, const B&, const R&) {
        return adjoints(ricci::real(y_bar), -ricci::imag(y_bar));
    }
};
}  // namespace ops

/// re + i im element by element, broadcast; the parts are real, of their common type, integers promoted to double.
/// (torch.complex.)
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto complex(A&& re, B&& im) {
    return map<ops::complex>(std::forward<A>(re), std::forward<B>(im));
}

/// The complex numbers of the given absolute values and angles: r cos(angle) + i r sin(angle). (torch.polar.)
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto polar(const A& r, const B& angle) {
    return ricci::complex(r * ricci::cos(angle), r * ricci::sin(angle));
}
}  // namespace ricci
RICCI_BOTH_SIDES_END
