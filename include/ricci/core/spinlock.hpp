// A lock for a few instructions' worth of work, constant-initialised and never destroyed.
#pragma once
#include "atomic_word.hpp"

#if __has_include(<sched.h>)
#include <sched.h>
#endif

namespace ricci::detail {

/// Once round a loop that waits for another thread: who waits long gives others the processor.
inline void spin_once(int& spins) {
    if (++spins > 64) {
#if __has_include(<sched.h>)
        sched_yield();
#endif
    }
}

/// A lock that is free of system calls unless it is contended.
class spinlock {
    atomic_word<bool> taken_{false};

   public:
    void lock() {
        for (int spins = 0; taken_.exchange(true, std::memory_order_acquire);)
            while (taken_.load(std::memory_order_relaxed)) spin_once(spins);
    }
    void unlock() { taken_.store(false, std::memory_order_release); }
};
struct spin_guard {
    spinlock& lock;
    explicit spin_guard(spinlock& l) : lock(l) { lock.lock(); }
    ~spin_guard() { lock.unlock(); }
    spin_guard(const spin_guard&) = delete;
};

}  // namespace ricci::detail
