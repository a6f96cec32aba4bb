// Tangent and the inverse trigonometric functions on simd registers.
#pragma once
#include "exponential_relatives.hpp"
#include "sine.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

// Rounded to T, and what that leaves.
template <class T>
inline constexpr T half_pi = T(1.57079632679489661923);
template <class T>
inline constexpr T half_pi_rest = sizeof(T) == 8 ? T(6.12323399573676604e-17) : T(-4.37113883e-8);

/// (atan(z) / z - 1) / z^2 in u = z^2 <= 1, off by 3e-17 (double) and 3e-9 (float).
template <class T>
RICCI_INLINE simd<T> atan_polynomial(simd<T> u) {
    if constexpr (sizeof(T) == 8)
        return polynomial(
            u, -0.33333333333333330252, 0.19999999999997532204, -0.14285714285384131545, 0.11111111093490828096,
            -0.090909085908919342252, 0.07692298971033216917, -0.066665646992891042112, 0.058815068777936560666,
            -0.05257973334284110807, 0.047377495795277789723, -0.042603566326016521328, 0.037494868125352471116,
            -0.03127718906699638479, 0.023696731580048622013, -0.015535152475414176125, 0.0083689311784501621357,
            -0.00349588597391630952, 0.0010496035084968515073, -0.00019996189377901382062, 0.000018061954618612152202);
    else
        return polynomial(u, -0.3333333308f, 0.1999994932f, -0.1428400379f, 0.1108826163f, -0.08931826777f,
                          0.0703191425f, -0.04896051403f, 0.02630500111f, -0.009144629761f, 0.001488691939f);
}
/// asin(sqrt(z)) / sqrt(z) - 1 for z <= 1/4.
template <class T>
RICCI_INLINE simd<T> asin_tail(simd<T> z) {
    if constexpr (sizeof(T) == 8)
        return z * polynomial(z, 0.16666666666666669, 0.07499999999998433, 0.04464285714635543, 0.030381944138531247,
                              0.02237217294214989, 0.017352392720869973, 0.013971212973552933, 0.011479177415184906,
                              0.01032281435018578, 0.005457506718640358, 0.01740087944269402, -0.014851887071247204,
                              0.028757851367421566);
    else
        return z *
               polynomial(z, 0.166666663f, 0.0750009454f, 0.0445994015f, 0.0311006627f, 0.0171492384f, 0.0336908472f);
}
/// With s = sqrt((1 - |x|) / 2) for |x| > 1/2: acos(|x|) = 2 asin(s) = root + rest.
template <class T>
struct asin_parts {
    simd<T> root, rest, near;
    simd_mask<T> large;
    RICCI_INLINE explicit asin_parts(simd<T> x) {
        const simd<T> one(T(1)), half(T(0.5)), size = math::abs(x);
        large = half < size;
        const auto z = math::select(large, (one - size) * half, x * x), s = math::sqrt(z), tail = asin_tail(z);
        auto lost = simd<T>(T(0));
        if constexpr (fused_multiply_add) lost = math::fma(-s, s, z) / math::select(s == simd<T>(T(0)), one, s);
        root = s + s;
        rest = math::fma(root, tail, lost);
        near = x * tail;
    }
};
/// (a - root) + (a_rest - rest) for a >= root.
template <class T>
RICCI_INLINE simd<T> turn_minus(T a, T a_rest, simd<T> root, simd<T> rest) {
    const simd<T> whole(a), head = whole - root;
    return head + (((whole - head) - root) + (simd<T>(a_rest) - rest));
}

/// -1 / (t + t_tail), rounded once.
template <class T>
RICCI_INLINE simd<T> minus_reciprocal(simd<T> t, simd<T> t_tail) {
    const auto inverse = coarse_reciprocal(t);
    const auto rest = math::fma(-t_tail, inverse, math::fma(-t, inverse, simd<T>(T(1))));
    return math::fma(-inverse, rest, -inverse);
}

#if defined(__AVX512F__)
/// Sines and cosines of k pi / 16, times numbers of which both products are within 2^-67 of doubles. The first zero is
/// negative, so that tan(-0) is.
alignas(64) inline constexpr double tan_table[2][16] = {
    {-0.0, 0x1.8017a54e01b81p-2, 0x1.83521d2ae8751p-1, 0x1.7f554f849e728p-1, 0x1p+0, 0x1.464c5b7d12d99p+0,
     0x1.2d9524b6964c1p+0, 0x1.28f4e7798d477p+0, 0x1p+0, -0x1.28f4e7798d477p+0, -0x1.2d9524b6964c1p+0,
     -0x1.464c5b7d12d99p+0, -0x1p+0, -0x1.7f554f849e728p-1, -0x1.83521d2ae8751p-1, -0x1.8017a54e01b81p-2},
    {0x1p+0, 0x1.e2bd9d375b12dp+0, 0x1.d3899a72d457dp+0, 0x1.1ed970682e87bp+0, 0x1p+0, 0x1.b40d12d41b793p-1,
     0x1.f3adab81671e4p-2, 0x1.d88bfbf43fdf8p-3, 0, 0x1.d88bfbf43fdf8p-3, 0x1.f3adab81671e4p-2, 0x1.b40d12d41b793p-1,
     0x1p+0, 0x1.1ed970682e87bp+0, 0x1.d3899a72d457dp+0, 0x1.e2bd9d375b12dp+0}};

/// tan(c + r) = (sin(c) + cos(c) t) / (cos(c) - sin(c) t), t = tan(r) and c the next multiple of pi / 16: a quotient
/// near it, and what it is off by. Within 1.8 ulp.
RICCI_INLINE simd<double> usual_tan(simd<double> x) {
    using S = simd<double>;
    const nearest_integer<double> n(x, 5.0929581789406507);
    // pi / 16 in three words of one sign, for that of zero; the third is part of what rounding t has lost
    S r = math::fma(n.value, -0x1.921fb54442d18p-3, x);
    r = math::fma(n.value, -0x1.1a62633145c06p-57, r);
    const S u = r * r;
    const S p = polynomial(u, 0.3333333333333339, 0.13333333333027655, 0.05396825650441459, 0.021868752429070052,
                           0.008950342760215568);
    const S cube = r * u, t = math::fma(p, cube, r), lost = math::fma(p, cube, r - t);
    const S t_tail = math::fma(n.value, -0x1.c1cd129024e09p-110, lost);
    const auto cell = (__m512i)n.shifted.bits();
    const S s = log_cell::entry(cell, tan_table[0]), c = log_cell::entry(cell, tan_table[1]);
    const S a = math::fma(c, t, s), b = math::fma(-s, t, c), a_tail = math::fma(c, t, s - a);
    const S inverse = coarse_reciprocal(b), q = a * inverse;
    const S excess = math::fma(q, b, -a) - math::fma(math::fma(q, s, c), t_tail, a_tail);
    return math::fma(-excess, inverse, q);
}
#else
struct tan_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = math::abs(x);
        const nearest_integer<double> n(size, 0.63661977236758134);
        // in two words: the slope is up to 2 relative to the value, and the reciprocal adds its own error
        const S first = math::fma(n.value, -0x1.921fb54442d18p+0, size);
        const S third = n.value * S(-0x1.1a62633145c07p-54);
        // exact in three steps, whichever is larger: the first is a multiple of 2^-53, and that of the other's last
        // place
        const S r = first + third;
        const S r_tail = (third - (r - first)) +
                         (math::fma(n.value, -0x1.1a62633145c07p-54, -third) + n.value * S(0x1.f1976b7ed8fbcp-110));
        // t = 2 tan(r / 2), whose poles are twice as far as those of tan(r); tan(r) = t / (1 - t^2 / 4). A loop waits
        // for results of long chains of steps, so that this one is kept short.
        const S u = r * r, square = u * u, cube = r * u;
        const S low = paired_terms(u, square, 0.08333333333333376, 0.008333333333305711, 0.0008432539688701066,
                                   8.542768286744759e-05);
        const S high = paired_terms(u, square, 8.655544895753268e-06, 8.768306949510492e-07, 8.920600172734408e-08,
                                    8.531491093065374e-09, 1.2540109686227621e-09);
        const S p = math::fma(high, square * square, low), t = math::fma(p, cube, r);
        const S d = math::fma(t, math::fma(p, cube * S(-0.25), r * S(-0.25)), S(1));
        const S t_tail = math::fma(p, cube, r - t) + r_tail;
        const auto odd = lowest_is_set<double>(n.shifted.bits());  // of the cotangent -d / t the slope is 1 + y^2, too
        const S q = math::select(odd, -d, t) / math::select(odd, t, d);
        const S y = math::fma(t_tail * d, math::fma(q, q, S(1)), q);  // t_tail / (1 + t^2 / 4), nearly
        return S::from_bits(y.bits() ^ sign_bits(x));
    }
};

RICCI_INLINE simd<double> usual_tan(simd<double> x) { return tan_kernel()(x); }
#endif
/// Of floats in one word and, where the cotangent is taken, what rounding the tangent has lost.
RICCI_INLINE simd<float> usual_tan(simd<float> x) {
    using S = simd<float>;
    const S size = math::abs(x);
    const nearest_integer<float> n(size, 0.63661977236758134f);
    const S r = minus_n_pi(size, n.value, 0.5f), u = r * r;
    const S p = r * u *
                polynomial(u, 0.3333334978f, 0.1333266232f, 0.05406003494f, 0.02128155938f, 0.01083748181f,
                           8.737048194e-5f, 0.004377367164f);
    const S t = r + p, t_tail = (r - t) + p;
    const S y = math::select(lowest_is_set<float>(n.shifted.bits()), minus_reciprocal(t, t_tail), t);
    return S::from_bits(y.bits() ^ sign_bits(x));
}

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

template <class T>
RICCI_INLINE simd<T> tan(simd<T> x) {
    constexpr bool own = sizeof(T) == 4 ? detail::fused_multiply_add : detail::precise_doubles;
    auto y = x;
    if constexpr (own) y = detail::usual_tan(x);
    const auto rare = own ? !(math::abs(x) <= simd<T>(detail::far_angle<T>)) : simd_mask<T>(true);
    if (math::any(rare)) [[unlikely]]
        return detail::by_lane(rare, +[](T v) { return math::tan(v); }, x, y);
    return y;
}

/// With z = x up to 1 and -1 / x beyond: z + z^3 p(z^2), plus a quarter turn beyond 1.
template <class T>
RICCI_INLINE simd<T> atan(simd<T> x) {
    using namespace detail;
    const simd<T> one(T(1)), zero(T(0)), size = math::abs(x);
    const auto beyond = one < size;
    const simd<T> z = math::select(beyond, -one / size, size), u = z * z;
    // The rest of the quarter turn is added where the sum is small, or it would be rounded away.
    const simd<T> y = z + math::fma(z * u, atan_polynomial(u), math::select(beyond, simd<T>(half_pi_rest<T>), zero));
    return math::copysign(y + math::select(beyond, simd<T>(half_pi<T>), zero), x);
}

template <class T>
RICCI_INLINE simd<T> atan2(simd<T> y, std::type_identity_t<simd<T>> x) {
    using namespace detail;
    const simd<T> zero(T(0)), one(T(1)), a = math::abs(y), b = math::abs(x);
    const auto low = math::minimum(a, b), high = math::maximum(a, b);
    // equal ones include two infinities and two zeros
    const auto q = math::select(low == high, math::select(high == zero, zero, one), low / high), u = q * q;
    const auto tail = q * u * atan_polynomial(u);
    auto angle = math::select(b < a, turn_minus(half_pi<T>, half_pi_rest<T>, q, tail), q + tail);
    angle = math::select(math::signbit(x), turn_minus(2 * half_pi<T>, 2 * half_pi_rest<T>, angle, zero), angle);
    return math::copysign(angle, y);
}

template <class T>
RICCI_INLINE simd<T> asin(simd<T> x) {
    using namespace detail;
    const asin_parts<T> parts(x);
    const auto far = turn_minus(half_pi<T>, half_pi_rest<T>, parts.root, parts.rest);
    return math::select(parts.large, math::copysign(far, x), x + parts.near);
}
template <class T>
RICCI_INLINE simd<T> acos(simd<T> x) {
    using namespace detail;
    const asin_parts<T> parts(x);
    const auto beyond = turn_minus(2 * half_pi<T>, 2 * half_pi_rest<T>, parts.root, parts.rest);
    const auto far = math::select(x < simd<T>(T(0)), beyond, parts.root + parts.rest);
    return math::select(parts.large, far, turn_minus(half_pi<T>, half_pi_rest<T>, x, parts.near));
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
