// What softmax is made of, along lines that lie beside each other in memory.
#pragma once
#include <limits>

#include "lanes.hpp"
#include "math.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci::detail {
inline namespace RICCI_ISA {

/// Some lines beside each other, `apart` from one place of them to the next: what is known of each stays in the first
/// cache, and no sum crosses lanes.
template <class T>
class lines_beside {
    using lane = simd<T>;
    static constexpr index_t lanes = lane::lanes;
    const T* x_;
    index_t n_, apart_, count_;

   public:
    static constexpr index_t most = 16 * lanes;  // lines

    lines_beside(const T* x, index_t n, index_t apart, index_t count) : x_(x), n_(n), apart_(apart), count_(count) {}

    /// y has one element for each line.
    void log_sum_exp(T* y) {
        find_largest();
        const lane infinity(std::numeric_limits<T>::infinity());
        each_register([&](index_t i, auto) {
            const lane top = lane::load(largest_ + i);
            math::select(math::abs(top) < infinity, top, lane(T(0))).store(largest_ + i);
        });
        add_exponentials<false>(nullptr);
        each_register([&](index_t i, auto access) {
            access.store(math::log(lane::load(sum_ + i)) + lane::load(largest_ + i), y + i);
        });
    }
    /// y lies as x does.
    void softmax(T* y) {
        find_largest();
        add_exponentials<true>(y);
        each_register([&](index_t i, auto) { (lane(T(1)) / lane::load(sum_ + i)).store(sum_ + i); });
        each([&](index_t k, index_t i, auto access) {
            T* const to = y + k * apart_ + i;
            access.store(access.load(to) * lane::load(sum_ + i), to);
        });
    }
    void log_softmax(T* y) {
        find_largest();
        add_exponentials<false>(nullptr);
        each_register([&](index_t i, auto) { math::log(lane::load(sum_ + i)).store(sum_ + i); });
        each([&](index_t k, index_t i, auto access) {
            const index_t at = k * apart_ + i;
            access.store(access.load(x_ + at) - lane::load(largest_ + i) - lane::load(sum_ + i), y + at);
        });
    }

   private:
    alignas(64) T largest_[most], sum_[most];

    struct whole_register {
        RICCI_INLINE static lane load(const T* from) { return lane::load(from); }
        RICCI_INLINE static void store(const lane& v, T* to) { v.store(to); }
    };
    struct last_register {
        index_t n;
        RICCI_INLINE lane load(const T* from) const { return lane::load_partial(from, n); }
        RICCI_INLINE void store(const lane& v, T* to) const { v.store_partial(to, n); }
    };
    /// f(the first line of a register, how to load and store its elements).
    template <class F>
    RICCI_INLINE void each_register(const F& f) const {
        index_t i = 0;
        for (; i + lanes <= count_; i += lanes) f(i, whole_register());
        if (i < count_) f(i, last_register{count_ - i});
    }
    /// f(place along the lines, ...) at all places.
    template <class F>
    RICCI_INLINE void each(const F& f) const {
        for (index_t k = 0; k < n_; ++k) each_register([&](index_t i, auto access) { f(k, i, access); });
    }
    static constexpr index_t block = 64;  // places whose elements are taken register by register
    /// f(the first place of a block, the one behind it).
    template <class F>
    RICCI_INLINE void each_block(const F& f) const {
        for (index_t first = 0; first < n_; first += block) f(first, n_ - first < block ? n_ : first + block);
    }
    void find_largest() {
        each_block([&](index_t first, index_t end) {
            each_register([&](index_t i, auto access) {
                lane top = first == 0 ? lane(-std::numeric_limits<T>::infinity()) : lane::load(largest_ + i);
                for (index_t k = first; k < end; ++k) top = math::maximum(top, access.load(x_ + k * apart_ + i));
                top.store(largest_ + i);
            });
        });
    }
    /// The sums of exp(x - largest), which with Keeps go to `keep`; in double over blocks of floats.
    template <bool Keeps>
    void add_exponentials(T* keep) {
        double total[most];
        each_block([&](index_t first, index_t end) {
            each_register([&](index_t i, auto access) {
                const lane top = lane::load(largest_ + i);
                lane sum(T(0));
                for (index_t k = first; k < end; ++k) {
                    const lane e = math::exp(access.load(x_ + k * apart_ + i) - top);
                    if constexpr (Keeps) access.store(e, keep + k * apart_ + i);
                    sum += e;
                }
                sum.store(sum_ + i);
            });
            if (n_ > block)
                for (index_t i = 0; i < count_; ++i)
                    total[i] = (first == 0 ? 0 : total[i]) + static_cast<double>(sum_[i]);
        });
        if (n_ <= block) return;
        for (index_t i = 0; i < count_; ++i) sum_[i] = static_cast<T>(total[i]);
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
#endif
