// Lanes: in what a sweep computes on the CPU, registers or single elements, and where its results go in one step.
#pragma once
#include <array>
#include <cstring>

#include "../expr/sweep.hpp"
#include "math.hpp"
#include "simd.hpp"
#include "simd/divisor.hpp"
#include "simd/half.hpp"
#include "simd/widen.hpp"

namespace ricci {

template <class T>
inline constexpr bool is_complex_lane_v<simd_complex<T>> = true;

namespace detail {
inline namespace RICCI_ISA {

/// last_lanes<n> + k: n truths of which the last k hold.
template <int N>
inline constexpr auto last_lanes_table = [] {
    std::array<bool, 2 * N> t{};
    for (int i = N; i < 2 * N; ++i) t[static_cast<std::size_t>(i)] = true;
    return t;
}();
template <int N>
inline constexpr const bool* last_lanes = last_lanes_table<N>.data();

template <class T>
inline constexpr bool is_converted_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
/// Floating numbers that lanes of T, double, are loaded from and rounded to as they are stored.
template <class T, class U>
inline constexpr bool is_narrower_float = std::is_same_v<T, double> && (is_half_v<U> || std::is_same_v<U, float>);

/// Lanes of a kernel all of whose values are T, stored as a type of 16 bits perhaps, complex numbers of T, or bool.
/// Integers and narrower floats that are only converted become lanes of T as they are loaded, and what is only stored
/// as a narrower float is rounded there.
template <class T>
struct simd_domain {
    template <class U>
    using lane = std::conditional_t<std::is_same_v<U, bool>, simd_mask<T>,
                                    std::conditional_t<is_complex_v<U>, simd_complex<T>, simd<T>>>;
    template <class To, class From, class S>
    RICCI_INLINE static auto convert(const S& x) {
        if constexpr (std::is_same_v<To, From>) return x;
        else if constexpr (is_converted_integer<From> || is_narrower_float<T, From>) return convert<To, T>(x);
        else if constexpr (is_narrower_float<T, To>) return convert<T, From>(x);
        else if constexpr (is_half_v<From>) return convert<To, float>(x);
        else if constexpr (is_half_v<To>) return detail::rounded_lanes<To>(convert<float, From>(x));
        else if constexpr (is_complex_v<To>) return simd_complex<T>(convert<T, From>(x));
        else if constexpr (is_complex_v<From> && std::is_same_v<To, bool>) return x != simd_complex<T>(T(0));
        else if constexpr (is_complex_v<From>) return x.real();
        else if constexpr (std::is_same_v<From, bool>) return math::select(x, simd<T>(T(1)), simd<T>(T(0)));
        else return x != simd<T>(T(0));
    }
    /// A number that is the same in every step of a loop, from where its reciprocal is moved.
    RICCI_INLINE static auto divisor(const simd<T>& x)
        requires(divides_by_reciprocals<T>)
    {
        return simd_divisor<T>(x);
    }
};

#if defined(RICCI_HAS_SIMD)
/// As many elements as a register of T has lanes, as such lanes, and back.
template <class T, class U>
struct converted_lanes {
    static constexpr int lanes = simd<T>::lanes;
    typedef T whole __attribute__((vector_size(sizeof(T) * lanes)));
    typedef U part __attribute__((vector_size(sizeof(U) * lanes)));

    RICCI_INLINE static simd<T> load(const U* p) {
        if constexpr (std::is_same_v<T, U>) {
            return simd<T>::load(p);
        } else {
            part x;
            std::memcpy(&x, p, sizeof x);
            return simd<T>::from_native((typename simd<T>::native)widened<whole>(x));
        }
    }
    RICCI_INLINE static void store(const simd<T>& x, U* p) {
        if constexpr (std::is_same_v<T, U>) {
            x.store(p);
        } else {
            const part y = __builtin_convertvector((whole)x.raw(), part);
            std::memcpy(p, &y, sizeof y);
        }
    }
};
template <class T, class U>
RICCI_INLINE simd<T> load_converted(const U* p, std::type_identity<simd<T>>) {
    return converted_lanes<T, U>::load(p);
}
/// Of integers with more bits than T, numbers that bfloat16 rounds as it would round these: the bits beyond T's
/// precision become one that tells whether there are any, far behind the last that bfloat16 keeps (rounding to odd,
/// core/half.hpp).
template <class T, class U>
RICCI_INLINE simd<T> load_rounded_once(const U* p) {
    using lanes = converted_lanes<T, U>;
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<U, std::int32_t> && lanes::lanes == 16) {  // towards 0 and back
        const __m512i exact = _mm512_loadu_si512(p);
        const auto nearer =
            (__m512i)_mm512_maskz_cvt_roundepi32_ps(all16, exact, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        const __mmask16 inexact = _mm512_cmpneq_epi32_mask(_mm512_maskz_cvttps_epi32(all16, (__m512)nearer), exact);
        const __m512i odd = _mm512_mask_or_epi32(nearer, inexact, nearer, _mm512_set1_epi32(1));
        return simd<T>::from_native((typename simd<T>::native)odd);
    }
#endif
    using N = std::make_unsigned_t<U>;
    typedef N naturals __attribute__((vector_size(sizeof(T) * lanes::lanes)));
    constexpr int digits = std::numeric_limits<T>::digits, beyond = 8 * sizeof(U) - digits + 1;
    constexpr N lost = (N(1) << beyond) - 1, limit = N(1) << digits;
    naturals x;
    std::memcpy(&x, p, sizeof x);
    const naturals told = (x & ~lost) | (((x & lost) + lost) >> 1 & (lost / 2 + 1));
    const naturals inside = std::is_signed_v<U> ? (naturals)(x + limit <= 2 * limit) : (naturals)(x <= limit);
    const naturals exact = (x & inside) | (told & ~inside);
    return simd<T>::from_native((typename simd<T>::native)widened<typename lanes::whole>((typename lanes::part)exact));
}
#if defined(__CUDACC__)  // as simd/half.hpp
template <class H>
    requires(is_half_v<H>)
RICCI_INLINE simd<double> load_converted(const H* p, std::type_identity<simd<double>>) {
    double x[simd<double>::lanes];
    for (int i = 0; i < simd<double>::lanes; ++i) x[i] = p[i];
    return simd<double>::load(x);
}
template <class H>
    requires(is_half_v<H>)
RICCI_INLINE void store_narrowed(const simd<double>& x, H* p) {
    double y[simd<double>::lanes];
    x.store(y);
    for (int i = 0; i < simd<double>::lanes; ++i) p[i] = y[i];
}
#else
/// As many lanes of float as a register of doubles has, in the front of a register of floats, and back.
typedef float front_floats __attribute__((vector_size(sizeof(float) * simd<double>::lanes)));
typedef std::uint16_t front_halves __attribute__((vector_size(2 * simd<double>::lanes)));
template <class To, class From>
RICCI_INLINE To front_of(const From& x) {
    To y;
    std::memcpy(&y, &x, sizeof y);
    return y;
}
template <class H>
    requires(is_half_v<H>)
RICCI_INLINE simd<double> load_converted(const H* p, std::type_identity<simd<double>>) {
    using lanes = converted_lanes<double, float>;
    front_halves bits;
    std::memcpy(&bits, p, sizeof bits);
    const auto floats = front_of<front_floats>(widened(in_register<half_bits>(bits), H{}).raw());
    return simd<double>::from_native((simd<double>::native)widened<lanes::whole>(floats));
}
/// By rounding to odd on the way (core/half.hpp).
template <class H>
    requires(is_half_v<H>)
RICCI_INLINE void store_narrowed(const simd<double>& x, H* p) {
#if defined(__AVX512F__)
    if constexpr (simd<double>::lanes == 8) {  // towards 0, which is never too far
        constexpr int towards_zero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
        const auto exact = (__m512d)x.raw();
        const __m256 nearer = _mm512_maskz_cvt_roundpd_ps(all8, exact, towards_zero);
        const __mmask8 inexact = _mm512_cmp_pd_mask(_mm512_maskz_cvtps_pd(all8, nearer), exact, _CMP_NEQ_OQ);
        const __m512i bits = _mm512_castps_si512(_mm512_castps256_ps512(nearer));
        const __m512i odd = _mm512_mask_or_epi32(bits, inexact, bits, _mm512_set1_epi32(1));
        // what the rest of the register has is converted, too: to bfloat16 quickly, unless it is subnormal
        const __m512i all = std::is_same_v<H, bfloat16> ? _mm512_maskz_shuffle_i64x2(all8, odd, odd, 0x44) : odd;
        const half_bits whole = narrowed(simd<float>::from_native((simd<float>::native)all), H{});
        const auto halves = front_of<front_halves>(whole);
        std::memcpy(p, &halves, sizeof halves);
        return;
    }
#endif
    using lanes = converted_lanes<double, float>;
    typedef std::int32_t integers __attribute__((vector_size(sizeof(front_floats))));
    const auto exact = (lanes::whole)x.raw();
    const auto nearest = __builtin_convertvector(exact, front_floats);
    const auto back = widened<lanes::whole>(nearest);
    const auto outside = exact < 0 ? back < exact : back > exact, inexact = back != exact;
    const auto change = __builtin_convertvector((outside & 2) | (inexact & 1), integers);
    const integers odd = ((integers)nearest - (change >> 1)) | (change & 1);
    const auto floats = simd<float>::from_native(in_register<simd<float>::native>((front_floats)odd));
    const auto halves = front_of<front_halves>(narrowed(floats, H{}));
    std::memcpy(p, &halves, sizeof halves);
}
#endif
inline void store_narrowed(const simd<double>& x, float* p) { converted_lanes<double, float>::store(x, p); }
#endif

template <class Lane, class U>
inline constexpr bool is_narrowed_lane = false;
template <class U>
inline constexpr bool is_narrowed_lane<simd<double>, U> = is_narrower_float<double, U>;

/// The lanes of elements in memory, and back. `Once`: of integers that are rounded to bfloat16 next.
template <class Lane, bool Once = false, class U>
RICCI_INLINE Lane load_lanes(const U* p) {
    if constexpr (Once && is_converted_integer<U> && sizeof(U) == sizeof(typename Lane::value_type))
        return load_rounded_once<typename Lane::value_type>(p);
    else if constexpr (is_converted_integer<U> || is_narrowed_lane<Lane, U>)
        return load_converted(p, std::type_identity<Lane>{});
    else if constexpr (is_half_v<U>) return load_half_lanes(p);
    else return Lane::load(p);
}
template <class Lane, class U>
RICCI_INLINE void store_lanes(const Lane& x, U* p) {
    if constexpr (is_narrowed_lane<Lane, U>) store_narrowed(x, p);
    else if constexpr (is_half_v<U>) store_half_lanes(x, p);
    else x.store(p);
}

}  // namespace RICCI_ISA

/// One element at a time, each in the type that it is computed in.
struct scalar_domain {
    template <class U>
    using lane = compute_t<U>;
    template <class To, class From, class S>
    RICCI_HD RICCI_INLINE static constexpr lane<To> convert(const S& x) {
        if constexpr (std::is_same_v<To, From>) return x;
        else return convert_element<To>(x);
    }
    /// As simd_domain's, of integers.
    template <class S>
        requires(math::has_integer_divisor<S>)
    RICCI_HD RICCI_INLINE static constexpr auto divisor(const S& x) {
        return math::known_divisor(x);
    }
};

/// Whether slot K is converted to bfloat16 as it stands.
template <class Node, int K>
inline constexpr bool becomes_bfloat16 = false;
template <class From, int K>
inline constexpr bool becomes_bfloat16<cast_node<bfloat16, slot<K, From>>, K> = true;
template <class To, class Child, int K>
inline constexpr bool becomes_bfloat16<cast_node<To, Child>, K> = becomes_bfloat16<Child, K>;
template <class Op, class T, class... Child, int K>
inline constexpr bool becomes_bfloat16<op_node<Op, T, Child...>, K> = (becomes_bfloat16<Child, K> || ...);

// ---- can a sweep run on registers? ----------------------------------------------------------------------------------

struct mixed_lanes;
/// A number's type beside complex ones of it is theirs.
template <class A, class B>
struct mixed_with
    : std::conditional<is_complex_v<A> && std::is_same_v<real_t<A>, B>, A,
                       std::conditional_t<is_complex_v<B> && std::is_same_v<real_t<B>, A>, B, mixed_lanes>> {};
template <class A, class B>
using unite_lanes = typename std::conditional_t<std::is_void_v<A> || std::is_same_v<A, B>, std::type_identity<B>,
                                                mixed_with<A, B>>::type;

template <class A, class T>
constexpr auto add_lane_type() {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<A, mixed_lanes>) return std::type_identity<A>{};
    else return std::type_identity<unite_lanes<A, compute_t<T>>>{};
}
template <class A, class... T>
struct lanes_of_types {
    using type = A;
};
template <class A, class T, class... Rest>
struct lanes_of_types<A, T, Rest...> : lanes_of_types<typename decltype(add_lane_type<A, T>())::type, Rest...> {};

template <class Node>
struct node_types {
    using type = type_list<typename Node::value_type>;
};
template <class... L>
struct join_lists {
    using type = type_list<>;
};
template <class... A>
struct join_lists<type_list<A...>> {
    using type = type_list<A...>;
};
template <class... A, class... B, class... Rest>
struct join_lists<type_list<A...>, type_list<B...>, Rest...> : join_lists<type_list<A..., B...>, Rest...> {};
template <class To, class Child>
struct node_types<cast_node<To, Child>> {
    using type = typename join_lists<type_list<To>, typename node_types<Child>::type>::type;
};
template <class To, int I, class From>
    requires((is_converted_integer<From> && is_inexact_v<To> && sizeof(From) <= sizeof(real_t<compute_t<To>>)) ||
             is_narrower_float<real_t<To>, From>)
struct node_types<cast_node<To, slot<I, From>>> {  // converted as it is loaded, in no more than a register
    using type = type_list<To>;
};
template <class Op, class T, class... Child>
struct node_types<op_node<Op, T, Child...>> {
    static constexpr bool fits =
        !takes_elements_v<Op> && (takes_masks_v<Op> || !(std::is_same_v<typename Child::value_type, bool> || ...));
    using type = typename join_lists<std::conditional_t<fits, type_list<T>, type_list<T, mixed_lanes>>,
                                     typename node_types<Child>::type...>::type;
};
template <class List>
struct lane_type;
template <class... T>
struct lane_type<type_list<T...>> {
    using type = typename lanes_of_types<void, T...>::type;
};
template <class Tree>
struct tree_lane_type : lane_type<typename node_types<Tree>::type> {};
template <class To, class Child>
    requires(is_narrower_float<double, To>)
struct tree_lane_type<cast_node<To, Child>> {  // rounded as it is stored
    using inner = typename lane_type<typename node_types<Child>::type>::type;
    using type = std::conditional_t<std::is_same_v<inner, double>, inner,
                                    typename lane_type<typename node_types<cast_node<To, Child>>::type>::type>;
};
template <class To, int I, class From>
    requires(is_half_v<To> && is_converted_integer<From> && sizeof(From) == sizeof(double))
struct tree_lane_type<cast_node<To, slot<I, From>>> {
    using type = double;
};
template <class Op, class To, class Child>
    requires(requires { requires Op::converts; })
struct tree_lane_type<op_node<Op, To, Child>> : tree_lane_type<Child> {};
/// float or double when every value in the tree is that (of 16 bits: float) or bool, or a narrower number that is
/// converted as it is loaded or stored; complex numbers of these where there are some; otherwise something that simd
/// does not support.
template <class Tree>
using lane_type_t = typename tree_lane_type<Tree>::type;

/// The same of a sweep's tree. Only what is stored can be a narrower float: adjoints and sums are in registers'
/// numbers.
template <class Sweep, bool Stores>
constexpr auto find_sweep_lanes() {
    using T = lane_type_t<typename Sweep::tree_type>;
    constexpr bool narrows = []<int... K>(std::integer_sequence<int, K...>) {
        return (is_narrower_float<real_t<T>, typename Sweep::template output_type<K>> || ...);
    }(std::make_integer_sequence<int, Sweep::outputs>{});
    return std::type_identity<std::conditional_t<narrows && (Sweep::reverse || !Stores), mixed_lanes, T>>{};
}
template <class Sweep, bool Stores>
using sweep_lanes_t = typename decltype(find_sweep_lanes<Sweep, Stores>())::type;

template <class T>
constexpr bool lanes_supported() {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return simd_supported<T>;
    else return false;
}

/// The parts' type where a sweep with complex numbers runs on registers; else void.
template <class T>
constexpr auto complex_lanes() {
    if constexpr (is_complex_v<T>)
        if constexpr (lanes_supported<real_t<T>>()) return std::type_identity<real_t<T>>{};
        else return std::type_identity<void>{};
    else return std::type_identity<void>{};
}

// ---- outputs of one step --------------------------------------------------------------------------------------------

/// How outputs that belong to the same leaf meet: not at all, all of a kind in one register, or by a run-time table.
enum class merging { none, all, table };

/// The outputs that a sweep gives in one step, held in registers; adjoints of merged outputs are added up here.
template <class Sweep, class Domain, merging Merge, class Indices = std::make_integer_sequence<int, Sweep::outputs>>
struct step_outputs;
template <class Sweep, class Domain, merging Merge, int... I>
struct step_outputs<Sweep, Domain, Merge, std::integer_sequence<int, I...>> {
    template <int K>
    using lane = typename Domain::template lane<typename Sweep::template output_type<K>>;

    static consteval int first_of_its_kind(int k) {
        if (Merge != merging::all || Sweep::out.at[k].variable == Sweep::slots) return k;
        for (int i = 0; i < k; ++i)
            if (Sweep::out.at[i].variable != Sweep::slots && Sweep::out.at[i].powers == Sweep::out.at[k].powers)
                return i;
        return k;
    }
    /// The output in whose register K's values are added up.
    template <int K>
    static constexpr int group = first_of_its_kind(K);

    struct indexed {
        lane<0> at[Sweep::outputs];
    };
    std::conditional_t<Merge == merging::table, indexed, pack<lane<I>...>> values;
    const unsigned char* table;

    RICCI_HD RICCI_INLINE constexpr explicit step_outputs(const unsigned char* merge)
        requires(Merge == merging::table)
        : values{{lane<I>(zero<typename Sweep::template output_type<I>>())...}}, table(merge) {}
    RICCI_HD RICCI_INLINE constexpr explicit step_outputs(const unsigned char* merge)
        requires(Merge != merging::table)
        : values{{{lane<I>(zero<typename Sweep::template output_type<I>>())}...}}, table(merge) {}
    template <int K>
    RICCI_HD RICCI_INLINE constexpr lane<K>& at() {
        if constexpr (Merge == merging::table) return values.at[K];
        else return get<K>(values);
    }
    template <int K, class S>
    RICCI_HD RICCI_INLINE constexpr void set(const S& x) {
        at<K>() = static_cast<lane<K>>(x);
    }
    template <int K, class S>
    RICCI_HD RICCI_INLINE constexpr void add(const S& x) {
        if constexpr (Merge == merging::none) set<K>(x);
        else if constexpr (Merge == merging::all) at<group<K>>() = at<group<K>>() + static_cast<lane<K>>(x);
        else values.at[table[K]] = values.at[table[K]] + static_cast<lane<K>>(x);
    }

   private:
    /// -0 is the identity of addition that compilers fold away.
    template <class T>
    static consteval T zero() {
        if constexpr (Merge == merging::all && is_real_floating_v<T>) return -T(0);
        else return T(0);
    }
};

}  // namespace detail
}  // namespace ricci
