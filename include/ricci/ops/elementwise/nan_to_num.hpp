// Numbers in place of NaN and infinities.
#pragma once
#include "complex.hpp"
#include "imag.hpp"
#include "isfinite.hpp"
#include "real.hpp"
#include "where.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
/// What nan_to_num puts in place; NaN stands for the largest and the lowest number of the type.
struct nan_to_num_options {
    double nan = 0;
    double posinf = std::numeric_limits<double>::quiet_NaN();
    double neginf = std::numeric_limits<double>::quiet_NaN();
};

namespace ops {
struct nan_to_num : of_reals<arithmetic> {
    static constexpr bool selects = true;
    static constexpr int cost = 6;
    nan_to_num_options options{};
    double largest =
        std::numeric_limits<double>::max();  // of the type that is stored, where it is computed in a longer one
    template <class S>
    RICCI_HD RICCI_INLINE constexpr S value(const S& x) const {
        if constexpr (std::is_integral_v<S>) {
            return x;
        } else {
            using T = std::remove_cvref_t<decltype(innermost_lane(x))>;
            constexpr T limit = std::numeric_limits<T>::max();
            const T most = largest < static_cast<double>(limit) ? static_cast<T>(largest) : limit;
            const auto high = static_cast<T>(options.posinf), low = static_cast<T>(options.neginf);
            const auto bounded = math::select(x > S(most), S(high == high ? high : most),
                                              math::select(x < S(-most), S(low == low ? low : -most), x));
            return math::select(math::isnan(x), S(static_cast<T>(options.nan)), bounded);
        }
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S& x, const R&) const {
        return ricci::where(ricci::isfinite(x), y_bar, 0);
    }

   private:
    template <class S>
    RICCI_HD static constexpr auto innermost_lane(const S& x) {
        if constexpr (std::is_floating_point_v<S>) return x;
        else return typename S::value_type();
    }
};
}  // namespace ops

/// Each element, but for NaN 0 and for +-inf the largest and lowest number of its type, or what the options say;
/// integers stay; of complex elements both parts. Derivative 1 where x is finite, else 0 (PyTorch's choice).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto nan_to_num(E&& x, const nan_to_num_options& options = {}) {
    ops::nan_to_num op;
    op.options = options;
    using T = std::remove_cvref_t<E>;
    if constexpr (requires { requires is_half_v<typename T::value_type>; })
        op.largest = std::numeric_limits<typename T::value_type>::max();
    if constexpr (requires { requires is_complex_v<typename T::value_type>; })
        return complex(nan_to_num(real(x), options), nan_to_num(imag(x), options));
    else if constexpr (expression<E>) return detail::make_map(op, std::forward<E>(x));
    else return detail::evaluate_op(op, x);
}
/// The same with the replacements in order; NaN for posinf and neginf stands for the largest and the lowest number.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto nan_to_num(E&& x, double nan,
                                                double posinf = std::numeric_limits<double>::quiet_NaN(),
                                                double neginf = std::numeric_limits<double>::quiet_NaN()) {
    return nan_to_num(std::forward<E>(x), nan_to_num_options{nan, posinf, neginf});
}
}  // namespace ricci
RICCI_BOTH_SIDES_END
