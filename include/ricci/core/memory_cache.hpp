// The cache of host memory: a share for each thread, what is common to all, and the limits.
#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "cached_block.hpp"
#include "config.hpp"
#include "storage_block.hpp"

#if __has_include(<pthread.h>)
#include <pthread.h>
#endif
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace ricci {

/// Memory that cannot be had: the system refuses it, the limit forbids it, or the size is absurd.
struct memory_error : std::bad_alloc {
    memory_error(std::size_t bytes, std::size_t in_use, std::size_t limit) noexcept;
    RICCI_ENGINE const char* what() const noexcept override;

   private:
    char text_[160];
};

namespace detail::heap {

// One per thread: small blocks at hand, and counters that only their thread writes (plain moves, no locked
// instructions). `room` is 0 before the thread has enrolled and after it has left, which sends every call down the slow
// path.
struct thread_cache {
    cached_block* free[small_classes] = {};
    std::uint32_t length[small_classes] = {};  // of these lists
    std::size_t room = 0;
    atomic_word<std::int64_t> pending{0};       // in use by this thread's account, not yet in the shared count
    atomic_word<std::int64_t> pending_peak{0};  // the most that `pending` was since it was last shared
    atomic_word<std::uint64_t> allocations{0};
    thread_cache* next = nullptr;
    maker* self = &nobody;
    enum : unsigned char { fresh, enrolled, departed } state = fresh;
};
inline constinit thread_local thread_cache local_cache{};

struct shared_cache {
    spinlock lock;                         // guards the members down to `retired`
    cached_block* free[all_classes] = {};  // bundles
    std::uint64_t last_use[all_classes] = {};
    std::uint64_t clock = 0;
    std::size_t cached = 0;  // bytes in these lists
    thread_cache* threads = nullptr;
    maker* makers = nullptr;    // all that ever were
    std::uint64_t retired = 0;  // allocations of threads that have ended

    atomic_word<bool> fork_handled{false};
    atomic_word<std::size_t> reserved{0};  // bytes taken from the system
    atomic_word<std::int64_t> in_use{0}, peak{0};
    atomic_word<std::uint64_t> system_calls{0};
    atomic_word<std::size_t> memory_limit{0};  // 0: none
    atomic_word<std::size_t> cache_limit{std::size_t(1) << 30};
};
inline constinit shared_cache shared{};  // trivially destroyed: tensors in static storage may die after everything else

inline constexpr std::int64_t share_at = 65536;
inline constexpr std::size_t thread_room = std::size_t(8) << 20;
template <class N>
N peek(const atomic_word<N>& a) {
    return a.load(std::memory_order_relaxed);
}
template <class N>
void poke(atomic_word<N>& a, N value) {
    a.store(value, std::memory_order_relaxed);
}

/// Adds a thread's account to the shared one.
void share_counters(thread_cache& local);
/// Moves this thread's small blocks to the shared lists.
void flush_thread(thread_cache& local);
/// Gives shared cached blocks back to the system until `enough` bytes are returned; the size class that was not used
/// for longest goes first. Returns the bytes released.
std::size_t release_cached(std::size_t enough);
/// Releases what is cached beyond the limit.
void trim_shared();
// What the two functions below do where the thread has no block at hand, or no room for one.
void* cache_allocate_slow(std::size_t asked);
void cache_release_slow(void* block, std::size_t asked) noexcept;

/// Notes an allocation, after which so much is pending.
RICCI_INLINE void note_allocation(thread_cache& local, std::int64_t pending) {
    poke(local.pending, pending);
    poke(local.allocations, peek(local.allocations) + 1);
    if (pending > peek(local.pending_peak)) poke(local.pending_peak, pending);
}
RICCI_INLINE void count_allocation(thread_cache& local, std::size_t bytes) {
    const std::int64_t pending = peek(local.pending) + static_cast<std::int64_t>(bytes);
    note_allocation(local, pending);
    if (pending >= share_at) share_counters(local);
}
RICCI_INLINE void count_release(thread_cache& local, std::size_t bytes) {
    const std::int64_t pending = peek(local.pending) - static_cast<std::int64_t>(bytes);
    poke(local.pending, pending);
    if (pending <= -share_at) share_counters(local);
}

/// Takes a block of class c, of which the thread has some, off its list.
RICCI_INLINE void* take_at_hand(thread_cache& local, int c, std::size_t bytes) {
    void* const block = pop(local.free[c]);
    --local.length[c];
    local.room += small_sizes.bytes[c];
    RICCI_UNPOISON(block, bytes);
    return block;
}
/// A small block that the thread has at hand; null where it has none or its counters are to be shared: without a call,
/// since what is kept over a call is saved and restored on the way that needs none.
RICCI_INLINE void* cache_allocate_at_hand(std::size_t bytes) {
    thread_cache& local = local_cache;
    const int c = size_class(bytes);
    const std::int64_t pending = peek(local.pending) + small_sizes.bytes[c];
    if (!local.free[c] || pending >= share_at) return nullptr;
    note_allocation(local, pending);
    return take_at_hand(local, c, bytes);
}
/// The caching allocator: at least `bytes` bytes, aligned to 64.
RICCI_INLINE void* cache_allocate(std::size_t bytes) {
    if (bytes <= largest_small) [[likely]]
        if (void* const block = cache_allocate_at_hand(bytes)) [[likely]]
            return block;
    return cache_allocate_slow(bytes);
}
/// The same for a series of such blocks: has the rest of the one that is next come into the cache, too.
RICCI_INLINE void* cache_allocate_of_series(std::size_t bytes) {
    if (bytes <= largest_small) [[likely]]
        if (void* const block = cache_allocate_at_hand(bytes)) [[likely]] {
            const char* const next = reinterpret_cast<const char*>(static_cast<const cached_block*>(block)->next);
            std::size_t line = next ? (bytes - 1) & ~std::size_t(63) : 0;
            for (; line > 0; line -= 64) __builtin_prefetch(next + line, 1);
            return block;
        }
    return cache_allocate_slow(bytes);
}
RICCI_INLINE void cache_release(void* block, std::size_t bytes) noexcept {
    if (bytes <= largest_small) [[likely]] {
        thread_cache& local = local_cache;
        const int c = size_class(bytes);
        const std::size_t size = small_sizes.bytes[c];
        if (local.room >= size) [[likely]] {
            local.room -= size;
            push(local.free[c], block, size);
            ++local.length[c];
            count_release(local, size);
            return;
        }
    }
    cache_release_slow(block, bytes);
}

}  // namespace detail::heap

#if RICCI_ENGINE_BODIES
RICCI_ENGINE memory_error::memory_error(std::size_t bytes, std::size_t in_use, std::size_t limit) noexcept {
    if (limit == 0)
        std::snprintf(text_, sizeof text_, "[allocate] out of memory: cannot get %zu bytes (%zu are in use)", bytes,
                      in_use);
    else
        std::snprintf(text_, sizeof text_,
                      "[allocate] %zu bytes would exceed the memory limit of %zu bytes (%zu are in use)", bytes, limit,
                      in_use);
}
RICCI_ENGINE const char* memory_error::what() const noexcept { return text_; }

namespace detail::heap {

template <class N>
void raise_to(atomic_word<N>& a, N value) {
    for (N now = a.load(std::memory_order_relaxed);
         now < value && !a.compare_exchange_weak(now, value, std::memory_order_relaxed););
}
RICCI_COLD RICCI_ENGINE void share_counters(thread_cache& local) {
    const std::int64_t pending = peek(local.pending);
    const std::int64_t before = shared.in_use.fetch_add(pending, std::memory_order_relaxed);
    raise_to(shared.peak, before + peek(local.pending_peak));
    poke(local.pending, std::int64_t(0));
    poke(local.pending_peak, std::int64_t(0));
}
inline void release_chain(cached_block* chain, std::size_t total) {
    while (chain) {
        cached_block* b = pop(chain);
        std::free(b);
    }
    shared.reserved.fetch_sub(total, std::memory_order_relaxed);
}

/// Adds a list of so many blocks to the shared ones. The caller has the lock.
RICCI_COLD inline void put_bundle(int c, cached_block* first, std::size_t blocks) {
    RICCI_UNPOISON(first, offsetof(cached_block, header));
    first->next_bundle = shared.free[c];
    first->bundled = blocks;
    shared.free[c] = first;
    shared.last_use[c] = shared.clock;
    shared.cached += blocks * class_bytes(c);
}
/// One block of those that wait in the shared lists. The caller has the lock.
RICCI_COLD inline cached_block* pop_shared(int c) {
    cached_block* const b = shared.free[c];
    cached_block* const rest = b->bundled > 1 ? b->next : nullptr;
    shared.free[c] = b->next_bundle;
    shared.cached -= class_bytes(c);
    if (!rest) return b;
    RICCI_UNPOISON(rest, offsetof(cached_block, header));
    rest->next_bundle = b->next_bundle;
    rest->bundled = b->bundled - 1;
    shared.free[c] = rest;
    return b;
}
RICCI_COLD RICCI_ENGINE std::size_t release_cached(std::size_t enough) {
    cached_block* chain = nullptr;
    std::size_t total = 0;
    {
        spin_guard guard(shared.lock);
        while (total < enough && shared.cached > 0) {
            int oldest = -1;
            for (int c = 0; c < all_classes; ++c)
                if (shared.free[c] && (oldest < 0 || shared.last_use[c] < shared.last_use[oldest])) oldest = c;
            const std::size_t bytes = class_bytes(oldest);
            while (total < enough && shared.free[oldest]) {
                cached_block* b = pop_shared(oldest);
                RICCI_UNPOISON(b, bytes);
                b->next = chain;
                chain = b;
                total += bytes;
            }
        }
    }
    release_chain(chain, total);
    return total;
}

RICCI_COLD RICCI_ENGINE void flush_thread(thread_cache& local) {
    spin_guard guard(shared.lock);
    ++shared.clock;
    for (int c = 0; c < small_classes; ++c) {
        if (!local.free[c]) continue;
        const std::size_t blocks = std::exchange(local.length[c], 0);
        put_bundle(c, std::exchange(local.free[c], nullptr), blocks);
        local.room += blocks * small_sizes.bytes[c];
    }
}

inline void retire_counters(thread_cache& local) {
    share_counters(local);
    spin_guard guard(shared.lock);
    shared.retired += peek(local.allocations);
    poke(local.allocations, std::uint64_t(0));
}
RICCI_COLD RICCI_ENGINE void trim_shared() {
    std::size_t cached;
    {
        spin_guard guard(shared.lock);
        cached = shared.cached;
    }
    const std::size_t limit = peek(shared.cache_limit);
    if (cached > limit) release_cached(cached - limit);
}

/// Frees those of a list of returned blocks on which no handle is left.
RICCI_COLD inline void settle_all(storage_block* list) noexcept {
    while (list) {
        storage_block* const block = list;
        list = static_cast<storage_block*>(block->context);
        if (!settle(*block)) continue;
        if (block->release) block->release(*block);  // not of tensors' memory, which goes elsewhere with it
        else cache_release(block, block->bytes + header_bytes);
    }
}
/// Counts the blocks that other threads returned to this one.
inline void take_returned(thread_cache& local) noexcept {
    if (!local.self->returned.load(std::memory_order_relaxed)) return;
    storage_block* list;
    {
        spin_guard guard(shared.lock);
        list = local.self->returned.exchange(nullptr, std::memory_order_relaxed);
    }
    settle_all(list);
}
/// Gives a thread a name to count in; it goes without one where there is no memory.
inline maker* take_name() {
    maker* name = shared.makers;
    while (name && name->in_use) name = name->next;
    if (!name) {
        void* const memory = std::malloc(sizeof(maker));
        if (!memory) return &nobody;
        shared.makers = name = ::new (memory) maker{&shared.lock, {}, false, shared.makers};
    }
    name->in_use = true;
    return name;
}
inline void give_up_name(thread_cache& local) noexcept {
    if (local.self == &nobody) return;
    storage_block* list;
    {
        spin_guard guard(shared.lock);
        local.self->in_use = false;
        list = local.self->returned.exchange(nullptr, std::memory_order_relaxed);
        local.self = &nobody;
    }
    settle_all(list);
}

/// Runs when its thread ends: what the thread kept becomes everyone's.
struct thread_exit {
    RICCI_COLD ~thread_exit() {
        thread_cache& local = local_cache;
        give_up_name(local);
        flush_thread(local);
        retire_counters(local);
        local.room = 0;
        local.state = thread_cache::departed;
        {
            spin_guard guard(shared.lock);
            thread_cache** link = &shared.threads;
            while (*link != &local) link = &(*link)->next;
            *link = local.next;
        }
        trim_shared();
    }
};
/// A child has one thread: the accounts of the others, whose stacks new threads will take, are closed, their names are
/// free, and the lock is nobody's.
inline void keep_over_fork() {
#if __has_include(<pthread.h>)
    pthread_atfork([] { shared.lock.lock(); }, [] { shared.lock.unlock(); },
                   [] {
                       thread_cache& local = local_cache;
                       for (const thread_cache* t = shared.threads; t; t = t->next) {
                           if (t == &local) continue;
                           shared.retired += peek(t->allocations);
                           shared.in_use.fetch_add(peek(t->pending), std::memory_order_relaxed);
                       }
                       shared.threads = local.state == thread_cache::enrolled ? &local : nullptr;
                       local.next = nullptr;
                       for (maker* m = shared.makers; m; m = m->next) m->in_use = m == local.self;
                       shared.lock.unlock();
                   });
#endif
}
RICCI_COLD inline void enroll(thread_cache& local) {
    static thread_local thread_exit at_exit;
    static_cast<void>(&at_exit);
    if (!shared.fork_handled.exchange(true, std::memory_order_seq_cst)) keep_over_fork();
    const std::size_t limit = peek(shared.cache_limit);
    local.room = limit < thread_room ? limit : thread_room;
    local.state = thread_cache::enrolled;
    spin_guard guard(shared.lock);
    local.self = take_name();
    local.next = shared.threads;
    shared.threads = &local;
}

inline void advise_huge_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) {
#if __has_include(<sys/mman.h>) && defined(MADV_HUGEPAGE)
    if (bytes < std::size_t(4) << 20) return;
    const auto first = (reinterpret_cast<std::uintptr_t>(block) + 4095) & ~std::uintptr_t(4095);
    const auto last = (reinterpret_cast<std::uintptr_t>(block) + bytes) & ~std::uintptr_t(4095);
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // a hint: failure changes nothing
#endif
}

/// `bytes` (a class's size) from the system. Cached memory is released when the limit or the system demands it.
RICCI_COLD inline void* system_allocate(std::size_t bytes, std::size_t asked) {
    const std::size_t reserved = shared.reserved.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    const std::size_t limit = peek(shared.memory_limit);
    const bool over = limit != 0 && reserved > limit;
    if (over && release_cached(reserved - limit) < reserved - limit) {
        flush_thread(local_cache);
        release_cached(reserved - limit);
    }
    void* block = nullptr;
    const bool refused = over && peek(shared.reserved) > limit;
    if (!refused) {
        block = std::aligned_alloc(block_alignment, bytes);
        if (!block) {
            flush_thread(local_cache);
            release_cached(largest_block);
            block = std::aligned_alloc(block_alignment, bytes);
        }
    }
    if (!block) {
        shared.reserved.fetch_sub(bytes, std::memory_order_relaxed);
        share_counters(local_cache);
        throw memory_error(asked, static_cast<std::size_t>(peek(shared.in_use)), refused ? limit : 0);
    }
    shared.system_calls.fetch_add(1, std::memory_order_relaxed);
    advise_huge_pages(block, bytes);
    return block;
}

/// A block of class `c`, of which the thread has none, from the shared lists, or null. A small one brings its bundle
/// along for the thread, or some of it where there is no room for all.
RICCI_COLD inline cached_block* take_shared(thread_cache& local, int c) {
    const std::size_t bytes = class_bytes(c);
    spin_guard guard(shared.lock);
    shared.last_use[c] = ++shared.clock;
    cached_block* const b = shared.free[c];
    if (!b) return nullptr;
    const std::size_t more = b->bundled - 1;
    if (c >= small_classes || more == 0) return pop_shared(c);
    if (more * bytes <= local.room) {
        shared.free[c] = b->next_bundle;
        shared.cached -= (more + 1) * bytes;
        local.free[c] = b->next;
        local.length[c] = static_cast<std::uint32_t>(more);
        local.room -= more * bytes;
        return b;
    }
    cached_block* const first = pop_shared(c);
    for (std::size_t n = 16384 / bytes < more ? 16384 / bytes : more; n > 0 && local.room >= bytes; --n) {
        push(local.free[c], pop_shared(c), bytes);
        ++local.length[c];
        local.room -= bytes;
    }
    return first;
}

RICCI_COLD RICCI_ENGINE void* cache_allocate_slow(std::size_t asked) {
    if (asked > largest_block) throw memory_error(asked, static_cast<std::size_t>(peek(shared.in_use)), 0);
    thread_cache& local = local_cache;
    const int c = size_class(asked);
    if (local.state == thread_cache::fresh) {
        enroll(local);
    } else {
        take_returned(local);
        if (c < small_classes && local.free[c]) {  // counters were to be shared, or one of those that came back
            count_allocation(local, class_bytes(c));
            return take_at_hand(local, c, asked);
        }
    }
    const std::size_t bytes = class_bytes(c);
    void* block = take_shared(local, c);
    if (!block) block = system_allocate(bytes, asked);
    count_allocation(local, bytes);
    if (local.state == thread_cache::departed) retire_counters(local);
    RICCI_UNPOISON(block, asked);
    RICCI_POISON(static_cast<unsigned char*>(block) + asked, bytes - asked);
    return block;
}
RICCI_COLD RICCI_ENGINE void cache_release_slow(void* block, std::size_t asked) noexcept {
    thread_cache& local = local_cache;
    if (local.state == thread_cache::fresh) enroll(local);
    const int c = size_class(asked);
    const std::size_t bytes = class_bytes(c), limit = peek(shared.cache_limit);
    count_release(local, bytes);
    if (local.state == thread_cache::departed) share_counters(local);
    if (c < small_classes && bytes <= limit && local.state == thread_cache::enrolled) {
        flush_thread(local);
        local.room = (limit < thread_room ? limit : thread_room) - bytes;
        push(local.free[c], block, bytes);
        ++local.length[c];
    } else if (bytes <= limit) {
        spin_guard guard(shared.lock);
        cached_block* alone = nullptr;
        push(alone, block, bytes);
        ++shared.clock;
        put_bundle(c, alone, 1);
    } else {
        RICCI_UNPOISON(block, bytes);
        std::free(block);
        shared.reserved.fetch_sub(bytes, std::memory_order_relaxed);
    }
    trim_shared();
}

}  // namespace detail::heap
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci
