// Host memory for tensors: the interface of allocators, the caching one, its statistics and limits.
#pragma once
#include "memory_cache.hpp"

namespace ricci {

/// Where tensors get host memory from. `allocate` returns at least `bytes` bytes aligned to `alignment` (a power of
/// two) or throws; `deallocate` gets the same two numbers. Both are called from any thread. An allocator must outlive
/// the tensors that were made while it was set.
class allocator {
   public:
    virtual void* allocate(std::size_t bytes, std::size_t alignment) = 0;
    virtual void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept = 0;

   protected:
    ~allocator() = default;
};

/// What the caching allocator did so far, over all threads. Sizes are those of size classes: up to an eighth above what
/// was asked for. The peak is exact in a program of one thread, else to within 64 KiB a thread.
struct memory_statistics {
    std::size_t bytes_in_use, bytes_cached, peak_bytes_in_use;
    std::uint64_t allocations, cache_hits;
};

namespace detail::heap {

/// The caching allocator as an `allocator`. Blocks aligned beyond 64 bytes are neither cached nor counted.
class caching_allocator final : public allocator {
   public:
    [[gnu::cold]] RICCI_ENGINE void* allocate(std::size_t bytes, std::size_t alignment) override;
    [[gnu::cold]] RICCI_ENGINE void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept override;
};
inline constinit caching_allocator default_allocator{};
inline constinit atomic_word<allocator*> current_allocator{
    nullptr};  // null: the caching allocator, without a virtual call

}  // namespace detail::heap

/// The allocator that new tensors on the CPU use.
allocator* get_allocator();

/// Makes new tensors on the CPU use `a`; null brings the caching allocator back. Returns the allocator set before.
/// Tensors that exist go back to the allocator that they came from.
allocator* set_allocator(allocator* a);

/// Counters of the caching allocator since the program began.
memory_statistics allocator_statistics();

/// Makes `peak_bytes_in_use` start again from what is in use now.
void reset_peak_statistics();

/// Lets the caching allocator hold at most `bytes` bytes of the system's memory, in use and cached together; 0 takes
/// the limit away. An allocation beyond it throws `memory_error` (a std::bad_alloc) after cached memory was released
/// and did not suffice. What exists already stays.
void set_memory_limit(std::size_t bytes);

/// Gives cached memory back to the system: all but what other running threads keep at hand (at most 8 MiB each).
void empty_cache();

/// Bounds what is cached, 1 GiB unless set: beyond it, blocks of the size that was not used for longest are released
/// first. 0 turns caching off, for instance to let a memory checker see every allocation, in this thread and in those
/// that begin later: others that run keep what they have at hand.
void set_cache_limit(std::size_t bytes);

#if RICCI_ENGINE_BODIES
namespace detail::heap {

RICCI_ENGINE void* caching_allocator::allocate(std::size_t bytes, std::size_t alignment) {
    if (alignment <= block_alignment) return cache_allocate(bytes);
    const std::size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
    void* block = rounded < bytes || bytes > largest_block ? nullptr : std::aligned_alloc(alignment, rounded);
    if (!block) throw memory_error(bytes, static_cast<std::size_t>(peek(shared.in_use)), 0);
    return block;
}
RICCI_ENGINE void caching_allocator::deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    if (alignment <= block_alignment) cache_release(block, bytes);
    else std::free(block);
}

}  // namespace detail::heap

RICCI_ENGINE allocator* get_allocator() {
    allocator* current = detail::heap::current_allocator.load(std::memory_order_acquire);
    return current ? current : &detail::heap::default_allocator;
}
RICCI_ENGINE allocator* set_allocator(allocator* a) {
    allocator* before = detail::heap::current_allocator.exchange(a == &detail::heap::default_allocator ? nullptr : a,
                                                                 std::memory_order_acq_rel);
    return before ? before : &detail::heap::default_allocator;
}
RICCI_ENGINE memory_statistics allocator_statistics() {
    using namespace detail::heap;
    take_returned(local_cache);
    std::int64_t in_use = peek(shared.in_use), peak = peek(shared.peak);
    std::uint64_t allocations;
    {
        detail::spin_guard guard(shared.lock);
        allocations = shared.retired;
        const std::int64_t base = in_use;
        for (const thread_cache* t = shared.threads; t; t = t->next) {
            allocations += peek(t->allocations);
            in_use += peek(t->pending);
            if (base + peek(t->pending_peak) > peak) peak = base + peek(t->pending_peak);
        }
    }
    if (in_use < 0) in_use = 0;
    if (peak < in_use) peak = in_use;
    const auto used = static_cast<std::size_t>(in_use), reserved = peek(shared.reserved);
    const std::uint64_t missed = peek(shared.system_calls);
    return {used, reserved > used ? reserved - used : 0, static_cast<std::size_t>(peak), allocations,
            allocations > missed ? allocations - missed : 0};
}
RICCI_ENGINE void reset_peak_statistics() {
    using namespace detail::heap;
    share_counters(local_cache);
    poke(shared.peak, peek(shared.in_use));
}
RICCI_ENGINE void set_memory_limit(std::size_t bytes) { detail::heap::poke(detail::heap::shared.memory_limit, bytes); }
RICCI_ENGINE void empty_cache() {
    detail::heap::take_returned(detail::heap::local_cache);
    detail::heap::flush_thread(detail::heap::local_cache);
    detail::heap::release_cached(detail::heap::largest_block);
}
RICCI_ENGINE void set_cache_limit(std::size_t bytes) {
    detail::heap::poke(detail::heap::shared.cache_limit, bytes);
    detail::heap::flush_thread(detail::heap::local_cache);
    if (detail::heap::local_cache.state == detail::heap::thread_cache::enrolled)
        detail::heap::local_cache.room = bytes < detail::heap::thread_room ? bytes : detail::heap::thread_room;
    detail::heap::trim_shared();
}
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci
