// Kernels for lines whose elements lie side by side: running sums, what softmax is made of, and what comes before an
// element.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "lanes.hpp"
#include "math.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

#if defined(RICCI_HAS_SIMD)
/// The lanes moved By places up (towards the end; with Backwards down), zeros behind them.
template <int By, bool Backwards, std::size_t... L>
RICCI_INLINE simd<double> moved_lanes(const simd<double>& x, std::index_sequence<L...>) {
    constexpr int lanes = sizeof...(L);
#if defined(__CUDACC__)  // nvcc loses the pack
    double from[3 * lanes] = {};
    x.store(from + lanes);
    return simd<double>::load(from + lanes + (Backwards ? By : -By));
#else
    return simd<double>::from_native(
        __builtin_shufflevector(x.raw(), simd<double>(0.0).raw(),
                                (Backwards ? (static_cast<int>(L) + By < lanes ? static_cast<int>(L) + By : lanes)
                                           : (static_cast<int>(L) >= By ? static_cast<int>(L) - By : lanes))...));
#endif
}
/// Running sums of the lanes.
template <bool Backwards, int By = 1>
RICCI_INLINE simd<double> running_lanes(const simd<double>& x) {
    constexpr int lanes = simd<double>::lanes;
    if constexpr (By >= lanes) return x;
    else return running_lanes<Backwards, 2 * By>(x + moved_lanes<By, Backwards>(x, std::make_index_sequence<lanes>()));
}
/// Lane I in all of them, without a way through a scalar.
template <int I, std::size_t... L>
RICCI_INLINE simd<double> broadcast_lane(const simd<double>& x, std::index_sequence<L...>) {
#if defined(__CUDACC__)  // nvcc loses the pack
    return simd<double>(x[I]);
#else
    return simd<double>::from_native(__builtin_shufflevector(x.raw(), x.raw(), (static_cast<void>(L), I)...));
#endif
}
#endif

/// Each of n elements becomes f of it; f takes registers, or numbers where there are none of the type.
template <class T, class F>
RICCI_INLINE void map_row(T* y, index_t n, const F& f) {
    index_t i = 0;
#if defined(RICCI_HAS_SIMD)
    if constexpr (lanes_supported<T>()) {
        using lane = simd<T>;
        for (; i + lane::lanes <= n; i += lane::lanes) f(lane::load(y + i)).store(y + i);
        if (i < n) f(lane::load_partial(y + i, n - i)).store_partial(y + i, n - i);
        return;
    }
#endif
    for (; i < n; ++i) y[i] = f(y[i]);
}

/// y[i] = x[0] + ... + x[i], or with Backwards x[i] + ... + x[n - 1]; added in double.
template <bool Backwards, class T>
void running_sums(const T* x, T* y, index_t n) {
    index_t done = 0;
    double total = 0;
#if defined(RICCI_HAS_SIMD)
    constexpr int lanes = simd<double>::lanes;
    simd<double> carry(0.0);
    for (; done + lanes <= n; done += lanes) {
        const index_t at = Backwards ? n - done - lanes : done;
        const simd<double> sums = running_lanes<Backwards>(converted_lanes<double, T>::load(x + at));
        converted_lanes<double, T>::store(sums + carry, y + at);
        carry += broadcast_lane<Backwards ? 0 : lanes - 1>(sums, std::make_index_sequence<lanes>());
    }
    total = carry[0];
#endif
    for (; done < n; ++done) {
        const index_t i = Backwards ? n - 1 - done : done;
        y[i] = static_cast<T>(total += static_cast<double>(x[i]));
    }
}

/// log(exp(a) + exp(b)).
inline double log_of_exponentials(double a, double b) {
    if (a == b) return a + 0.69314718055994531;  // infinities
    return (a > b || a != a ? a : b) + std::log1p(std::exp(-std::abs(a - b)));
}
/// y[i] = log(exp(x[0]) + ... + exp(x[i])), in double. A block's exponentials are of what its elements exceed its
/// largest one by, where no sum in it is so much smaller that digits would be lost; else it goes element by element.
template <class T>
void running_log_sums(const T* x, T* y, index_t n) {
    double total = -std::numeric_limits<double>::infinity();
    index_t i = 0;
    const auto one_by_one = [&](index_t end) {
        for (; i < end; ++i) y[i] = static_cast<T>(total = log_of_exponentials(total, static_cast<double>(x[i])));
    };
#if defined(RICCI_HAS_SIMD)
    using lane = simd<double>;
    constexpr index_t lanes = lane::lanes, block = 4 * lanes;
    constexpr double farthest = 16;
    double shift = total, sum = 0;  // total = shift + log(sum), so that its rounding is not carried on
    while (i + block <= n) {
        lane v[4];
        for (index_t r = 0; r < 4; ++r) v[r] = converted_lanes<double, T>::load(x + i + r * lanes);
        const double most = reduce_max(math::maximum(math::maximum(v[0], v[1]), math::maximum(v[2], v[3])));
        const double top = most < shift ? shift : most;
        if (!(top - std::max(total, static_cast<double>(x[i])) <= farthest)) {  // infinities and NaN too
            one_by_one(i + block);
            shift = total, sum = 1;
            continue;
        }
        lane carry(top == shift ? sum : sum * std::exp(shift - top)), logs;
        for (index_t r = 0; r < 4; ++r, i += lanes) {
            const lane sums = running_lanes<false>(math::exp(v[r] - lane(top))) + carry;
            logs = math::log(sums) + lane(top);
            converted_lanes<double, T>::store(logs, y + i);
            carry = broadcast_lane<lanes - 1>(sums, std::make_index_sequence<static_cast<std::size_t>(lanes)>());
        }
        shift = top, sum = carry[0], total = logs[static_cast<int>(lanes) - 1];
    }
#endif
    one_by_one(n);
}

#if defined(RICCI_HAS_SIMD)
/// A line of real numbers in registers. One that is shorter than a register is filled up with -inf, whose exponential
/// adds nothing.
template <class T>
struct line {
    using lane = simd<T>;
    static constexpr index_t lanes = lane::lanes;
    const T* x;
    index_t n;

    void log_sum_exp(T* y) const {
        if (T in[lanes]; n < lanes) return filled(in).log_sum_exp(y);
        const T s = shift();
        *y = static_cast<T>(std::log(sum_exponentials<false>(s, nullptr))) + s;
    }
    void softmax(T* y) const {
        if (T in[lanes], out[lanes]; n < lanes) {
            filled(in).softmax(out);
            std::copy(out, out + n, y);
            return;
        }
        const lane scale(static_cast<T>(1 / sum_exponentials<true>(largest_element(), y)));
        const line made{y, n / lanes * lanes};
        const lane last = lane::load(y + n - lanes);  // before the register that it overlaps is scaled
        lane none[2];
        made.each(0, made.n, none, [&](lane&, const lane& v, index_t i, index_t) { (v * scale).store(y + i); });
        (last * scale).store(y + n - lanes);
    }
    void log_softmax(T* y) const {
        if (T in[lanes], out[lanes]; n < lanes) {
            filled(in).log_softmax(out);
            std::copy(out, out + n, y);
            return;
        }
        const T largest = largest_element();
        const lane s(largest), rest(static_cast<T>(std::log(sum_exponentials<false>(largest, nullptr))));
        const line own = *this;
        lane none[2];
        own.each(0, own.n, none, [&](lane&, const lane& v, index_t i, index_t) { (v - s - rest).store(y + i); });
    }

   private:
    line filled(T (&memory)[lanes]) const {
        std::fill(std::copy(x, x + n, memory), memory + lanes, -std::numeric_limits<T>::infinity());
        return {memory, lanes};
    }
    /// body(result, register, place, how many lanes at its end are new) for elements first ... end - 1, of two results
    /// in turn. The last register overlaps the one before it.
    template <class Body>
    RICCI_INLINE void each(index_t first, index_t end, lane (&results)[2], const Body& body) const {
        index_t i = first;
        for (; i + 2 * lanes <= end; i += 2 * lanes) {
            body(results[0], lane::load(x + i), i, lanes);
            body(results[1], lane::load(x + i + lanes), i + lanes, lanes);
        }
        if (i + lanes <= end) {
            body(results[0], lane::load(x + i), i, lanes);
            i += lanes;
        }
        if (i < end) body(results[1], lane::load(x + end - lanes), end - lanes, end - i);
    }
    T largest_element() const {
        lane largest[2] = {lane(-std::numeric_limits<T>::infinity()), lane(-std::numeric_limits<T>::infinity())};
        each(0, n, largest, [](lane& top, const lane& v, index_t, index_t) { top = math::maximum(top, v); });
        return reduce_max(math::maximum(largest[0], largest[1]));
    }
    /// What is taken from the exponents of a sum: the largest element, 0 where that is not finite.
    T shift() const {
        const T top = largest_element();
        return std::abs(top) < std::numeric_limits<T>::infinity() ? top : T(0);
    }
    /// The sum of exp(x - shift), which with Keeps go to `keep`; in double over blocks of floats.
    template <bool Keeps>
    double sum_exponentials(T shift, T* keep) const {
        constexpr index_t block = 64 * lanes;
        const line own = *this;  // a copy: a store could change *this, for all that the compiler knows
        double total = 0;
        for (index_t first = 0; first < own.n; first += block) {
            lane sums[2] = {lane(T(0)), lane(T(0))};
            own.each(
                first, std::min(first + block, own.n), sums, [&](lane& sum, const lane& v, index_t i, index_t fresh) {
                    const lane e = math::exp(v - lane(shift));
                    if constexpr (Keeps) e.store(keep + i);
                    sum +=
                        fresh == lanes ? e : math::select(simd_mask<T>::load(last_lanes<lanes> + fresh), e, lane(T(0)));
                });
            total += static_cast<double>(reduce_add(sums[0] + sums[1]));
        }
        return total;
    }
};
/// As many short lines as a register has lanes, one behind the other in memory, each in a lane: no sum crosses lanes,
/// and one logarithm is of all.
template <class T>
class short_lines {
    using lane = simd<T>;
    index_t n_;

   public:
    static constexpr index_t lanes = lane::lanes, longest = 2 * lanes;

    /// n > 0, as the loop says to compilers, which would warn of reading what was never set.
    short_lines(const T* x, index_t n) : n_(n) {
        index_t k = 0;
        do {
            for (index_t i = 0; i < lanes; ++i) element_[k * lanes + i] = x[i * n + k];
        } while (++k < n);
    }
    void log_sum_exp(T* y) {
        const lane top = largest(), infinity(std::numeric_limits<T>::infinity());
        const lane shift = math::select(math::abs(top) < infinity, top, lane(T(0)));
        (math::log(sum_exponentials<false>(shift)) + shift).store(y);
    }
    void softmax(T* y) {
        const lane scale = lane(T(1)) / sum_exponentials<true>(largest());
        put(y, [&](const lane& e) RICCI_INLINE_LAMBDA { return e * scale; });
    }
    void log_softmax(T* y) {
        const lane top = largest(), rest = math::log(sum_exponentials<false>(top));
        put(y, [&](const lane& v) RICCI_INLINE_LAMBDA { return v - top - rest; });
    }

   private:
    alignas(64) T element_[longest * lanes];  // (n, lanes)

    RICCI_INLINE lane at(index_t k) const { return lane::load(element_ + k * lanes); }
    RICCI_INLINE lane largest() const {
        lane top = at(0);
        for (index_t k = 1; k < n_; ++k) top = math::maximum(top, at(k));
        return top;
    }
    /// Of what the elements exceed `shift` by; with Keeps they become their exponentials.
    template <bool Keeps>
    RICCI_INLINE lane sum_exponentials(const lane& shift) {
        lane sum(T(0));
        for (index_t k = 0; k < n_; ++k) {
            const lane e = math::exp(at(k) - shift);
            if constexpr (Keeps) e.store(element_ + k * lanes);
            sum += e;
        }
        return sum;
    }
    template <class F>
    RICCI_INLINE void put(T* y, const F& f) {
        for (index_t k = 0; k < n_; ++k) f(at(k)).store(element_ + k * lanes);
        for (index_t i = 0; i < lanes; ++i)
            for (index_t k = 0; k < n_; ++k) y[i * n_ + k] = element_[k * lanes + i];
    }
};
/// to[w] += the sum of the lanes of x[w], added as reduce_add does: four registers at a time in half its instructions.
template <class T, int Count>
RICCI_INLINE void add_sums(const simd<T> (&x)[Count], double (&to)[Count]) {
    constexpr int lanes = simd<T>::lanes;
    if constexpr (Count == 4 && lanes >= 4) {
        T sums[lanes];
        fold_registers<4>(x, 1, add_lanes()).store(sums);
        for (int w = 0; w < 4; ++w) to[w] += static_cast<double>(sums[w * (lanes / 4)]);
    } else {
        for (int w = 0; w < Count; ++w) to[w] += static_cast<double>(reduce_add(x[w]));
    }
}
/// The means and variances of some lines, one behind the other, few enough that they stay in the cache. What comes
/// after a sum waits for it, longer than the sum of a short line takes: so the sums of all lines come first, four lines
/// at a time, and each of them is summed as it would be alone.
template <class T>
class line_moments {
    using lane = simd<T>;
    static constexpr index_t lanes = lane::lanes;
    const T* x_;
    index_t n_;
    int lines_;

   public:
    static constexpr int most = 32;  // lines
    double total[most];
    T mean[most], factor[most];

    line_moments(const T* x, index_t n, int lines) : x_(x), n_(n), lines_(lines) {}
    RICCI_VECTORIZE void find_means() {
        sum_all([](int, const auto& v) RICCI_INLINE_LAMBDA { return v; });
        for (int w = 0; w < lines_; ++w) mean[w] = static_cast<T>(total[w] / static_cast<double>(n_));
    }
    /// Leaves the sums of the squares of the differences from the means in `total`.
    RICCI_VECTORIZE void find_squares() {
        find_means();
        sum_all([&](int w, const auto& v) RICCI_INLINE_LAMBDA {
            const std::remove_cvref_t<decltype(v)> middle(mean[w]);
            return (v - middle) * (v - middle);
        });
    }
    /// y = total / by, with Root the root of that.
    template <bool Root>
    void divide_totals(double by, T* y) const {
        for (int w = 0; w < lines_; ++w) y[w] = static_cast<T>(total[w] / by);
        if constexpr (Root) map_row(y, lines_, [](const auto& v) RICCI_INLINE_LAMBDA { return math::sqrt(v); });
    }
    /// The elements, of y's lines, less their means times `factor`, 1 / sqrt(squares / by + epsilon): finish(those of a
    /// register, what loads of vectors as long as a line the elements beside them).
    template <class Finish>
    RICCI_VECTORIZE void standardize(double by, double epsilon, T* y, const Finish& finish) {
        find_squares();
        for (int w = 0; w < lines_; ++w) factor[w] = static_cast<T>(total[w] / by + epsilon);
        map_row(factor, lines_, []<class V>(const V& v) RICCI_INLINE_LAMBDA { return V(T(1)) / math::sqrt(v); });
        const T* x = x_;
        const index_t n = n_;
        for (int w = 0; w < lines_; ++w, x += n, y += n) {
            const lane middle(mean[w]), by_line(factor[w]);
            index_t i = 0;
            const auto whole = [&](const T* from) RICCI_INLINE_LAMBDA { return lane::load(from + i); };
            for (; i + lanes <= n; i += lanes) finish((whole(x) - middle) * by_line, whole).store(y + i);
            const auto part = [&](const T* from) RICCI_INLINE_LAMBDA { return lane::load_partial(from + i, n - i); };
            if (i < n) finish((part(x) - middle) * by_line, part).store_partial(y + i, n - i);
        }
    }

   private:
    template <class Of>
    RICCI_INLINE void sum_all(const Of& of) {
        int w = 0;
        for (; w + 4 <= lines_; w += 4) sum<4>(w, of);
        for (; w < lines_; ++w) sum<1>(w, of);
    }
    /// Of each line from the first on the sum of of(line, element), in double over blocks of floats, in a block by two
    /// registers in turn.
    template <int Together, class Of>
    RICCI_INLINE void sum(int line, const Of& of) {
        const T* const x = x_ + line * n_;
        const index_t n = n_;
        double sum[Together] = {};
        if (n < lanes) {
            for (int w = 0; w < Together; ++w)
                for (index_t i = 0; i < n; ++i) sum[w] += static_cast<double>(of(line + w, x[w * n + i]));
        } else {
            constexpr index_t block = 64 * lanes;
            const auto value = [&](int w, index_t i)
                                   RICCI_INLINE_LAMBDA { return of(line + w, lane::load(x + w * n + i)); };
            for (index_t first = 0; first < n; first += block) {
                lane sums[Together];
                sum_block(value, first, std::min(first + block, n), sums);
                add_sums(sums, sum);
            }
        }
        for (int w = 0; w < Together; ++w) total[line + w] = sum[w];
    }
    template <class Value, int Together>
    RICCI_INLINE static void sum_block(const Value& value, index_t i, index_t end, lane (&sums)[Together]) {
        lane odd[Together];
        for (int w = 0; w < Together; ++w) sums[w] = odd[w] = lane(T(0));
        for (; i + 2 * lanes <= end; i += 2 * lanes) {
            for (int w = 0; w < Together; ++w) sums[w] += value(w, i);
            for (int w = 0; w < Together; ++w) odd[w] += value(w, i + lanes);
        }
        if (i + lanes <= end) {
            for (int w = 0; w < Together; ++w) sums[w] += value(w, i);
            i += lanes;
        }
        if (i < end) {  // in a register that overlaps the one before
            const auto fresh = simd_mask<T>::load(last_lanes<lanes> + (end - i));
            for (int w = 0; w < Together; ++w) odd[w] += math::select(fresh, value(w, end - lanes), lane(T(0)));
        }
        for (int w = 0; w < Together; ++w) sums[w] += odd[w];
    }
};
#endif

// ---- what comes before an element in sorted order, NaN last ---------------------------------------------------------

inline constexpr index_t line_block = 64;

/// Whether any of line_block elements comes before `last`.
template <class T>
bool any_before(const T* x, T last, bool descending) {
#if defined(RICCI_HAS_SIMD)
    if constexpr (lanes_supported<T>()) {
        using lane = simd<T>;
        const auto any = [&](auto passes) RICCI_INLINE_LAMBDA {
            auto some = passes(lane::load(x));
            for (index_t i = lane::lanes; i < line_block; i += lane::lanes) some = some | passes(lane::load(x + i));
            return math::any(some);
        };
        const lane bound(last);
        if (last != last) return any([](const lane& v) RICCI_INLINE_LAMBDA { return v == v; });
        if (descending) return any([&](const lane& v) RICCI_INLINE_LAMBDA { return bound < v; });
        return any([&](const lane& v) RICCI_INLINE_LAMBDA { return v < bound; });
    }
#endif
    unsigned char any = 0;  // loops of known length become registers
    if (descending)
        for (index_t i = 0; i < line_block; ++i) any |= last < x[i] || (last != last && x[i] == x[i]);
    else
        for (index_t i = 0; i < line_block; ++i) any |= x[i] < last || (last != last && x[i] == x[i]);
    return any != 0;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
