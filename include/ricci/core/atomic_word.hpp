// Words that several threads read and write.
#pragma once
#include <atomic>

#include "config.hpp"

namespace ricci::detail {

#if defined(__GNUC__) || defined(__clang__)
/// What std::atomic is of it here, by the compiler's builtins: the checks in its members are ten blocks of code to
/// every pass of a compiler, and an expression copies and drops a handle for each leaf. Orders are always named.
template <class T>
class atomic_word {
   public:
    constexpr atomic_word(T value = T()) noexcept : value_(value) {}
    atomic_word(const atomic_word&) = delete;
    atomic_word& operator=(const atomic_word&) = delete;
    RICCI_INLINE T load(std::memory_order order) const noexcept {
        return __atomic_load_n(&value_, static_cast<int>(order));
    }
    RICCI_INLINE void store(T value, std::memory_order order) noexcept {
        __atomic_store_n(&value_, value, static_cast<int>(order));
    }
    RICCI_INLINE T fetch_add(T by, std::memory_order order) noexcept {
        return __atomic_fetch_add(&value_, by, static_cast<int>(order));
    }
    RICCI_INLINE T fetch_sub(T by, std::memory_order order) noexcept {
        return __atomic_fetch_sub(&value_, by, static_cast<int>(order));
    }
    RICCI_INLINE T exchange(T value, std::memory_order order) noexcept {
        return __atomic_exchange_n(&value_, value, static_cast<int>(order));
    }
    RICCI_INLINE bool compare_exchange_weak(T& expected, T wanted, std::memory_order order) noexcept {
        return __atomic_compare_exchange_n(&value_, &expected, wanted, true, static_cast<int>(order),
                                           order == std::memory_order_relaxed ? __ATOMIC_RELAXED : __ATOMIC_ACQUIRE);
    }

   private:
    T value_;
};
#else
template <class T>
using atomic_word = std::atomic<T>;
#endif

}  // namespace ricci::detail
