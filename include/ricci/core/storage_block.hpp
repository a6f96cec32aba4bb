// The header of a tensor's memory, and how handles on it are counted.
#pragma once
#include <cstddef>
#include <cstdint>

#include "atomic_word.hpp"
#include "config.hpp"
#include "spinlock.hpp"

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define RICCI_SINGLE_THREADED (__libc_single_threaded)
#else
#define RICCI_SINGLE_THREADED false
#endif

namespace ricci {

class allocator;
struct storage_block;

namespace detail {

// Locked instructions would be most of the time of a small expression, whose handles are copied and dropped by the
// thread that made the memory. So that thread counts apart, with plain loads and stores, and all others count in a word
// that they share ("Biased reference counting", Choi, Shull and Torrellas, 2018). The number of handles is the sum of
// both.  - The maker is the only owner where it has a handle and finds the sum 1: copies that it has not seen yet would
// need another
//    handle that they were copied from.
//  - Where it drops the last one that it counted while the word is not 0, it adds its count there, once and for all.
//  - Where the word falls below 0, others have dropped handles that the maker counted. The block is returned to it,
// since it
//    alone may read its count; it adds it up when it next needs memory. Of a thread that has ended anyone may do so.

/// The name in which a thread counts. Names are never freed: that of a thread that has ended goes to a new one, whose
/// blocks are then those of both.
struct maker {
    spinlock* lock = nullptr;  // guards the rest
    atomic_word<storage_block*> returned{nullptr};
    bool in_use = false;
    maker* next = nullptr;
};
/// The name of threads that have none.
inline constinit maker nobody{};

/// The count that threads share, in a word with two flags.
namespace reference_word {
inline constexpr std::uint32_t one = 4;
inline constexpr std::uint32_t complete = 1;  // the maker counts no more: this is the number of handles
inline constexpr std::uint32_t returned = 2;  // among the maker's returned blocks, and not to be freed by others
inline constexpr std::uint32_t sole = one + complete;
constexpr std::int32_t count(std::uint32_t word) { return static_cast<std::int32_t>(word & ~(one - 1)) / 4; }
}  // namespace reference_word

}  // namespace detail

/// What a storage handle points to. `data` is the payload: right behind the header for memory of the CPU's allocator,
/// else wherever `release` knows to let go of it.
struct storage_block {
    detail::atomic_word<std::uint32_t> references{detail::reference_word::sole};
    detail::atomic_word<std::uint32_t> version{0};  // how often the payload was written in place
    void* data = nullptr;
    std::size_t bytes = 0;                                 // size of the payload
    allocator* owner = nullptr;                            // of this block; null: the caching allocator
    void (*release)(storage_block&) = nullptr;             // called before the block goes; null: nothing to do
    void* context = nullptr;                               // for `release`; of a returned block the next one
    detail::atomic_word<detail::maker*> made_by{nullptr};  // who counts apart, if anyone does
    detail::atomic_word<std::uint32_t> own_references{0};  // the maker's count
    detail::atomic_word<std::uint32_t> superseded{0};      // by which transform's write, or how many it has seen

    storage_block() = default;
    /// With one handle, which the maker counts apart.
    RICCI_INLINE storage_block(void* payload, std::size_t size, detail::maker* maker) noexcept
        : references(0), data(payload), bytes(size), made_by(maker), own_references(1) {}
};

namespace detail {

inline constexpr std::size_t header_bytes = 64;
static_assert(sizeof(storage_block) <= header_bytes);

/// All is counted in the shared word from now on, which loses `flags`. By the maker, or when it has ended. Whether no
/// handle is left and the block is nobody's to free but the caller's.
inline bool complete_count(storage_block& block, std::uint32_t flags) noexcept {
    namespace word = reference_word;
    const std::uint32_t own = block.own_references.load(std::memory_order_relaxed);
    block.own_references.store(0, std::memory_order_relaxed);
    block.made_by.store(nullptr, std::memory_order_relaxed);
    const std::uint32_t more = own * word::one + word::complete - flags;
    return block.references.fetch_add(more, std::memory_order_acq_rel) + more == word::complete;
}
/// The same of a returned block, whose maker may have done so before it looked here.
inline bool settle(storage_block& block) noexcept {
    namespace word = reference_word;
    if (block.made_by.load(std::memory_order_relaxed)) return complete_count(block, word::returned);
    return block.references.fetch_sub(word::returned, std::memory_order_acq_rel) - word::returned == word::complete;
}
/// Puts a block, whose word says so, among its maker's returned ones. Whether it is the caller's to free instead.
RICCI_COLD inline bool return_block(storage_block& block, maker* made_by) noexcept {
    spin_guard guard(*made_by->lock);
    if (!made_by->in_use) return settle(block);
    block.context = made_by->returned.load(std::memory_order_relaxed);
    made_by->returned.store(&block, std::memory_order_relaxed);
    return false;
}

/// Counts one more by a thread that does not count apart.
RICCI_NOINLINE inline void add_shared(storage_block& block) noexcept {
    namespace word = reference_word;
    if (RICCI_SINGLE_THREADED)
        block.references.store(block.references.load(std::memory_order_relaxed) + word::one, std::memory_order_relaxed);
    else block.references.fetch_add(word::one, std::memory_order_relaxed);
}
/// Counts one less by such a thread; whether the block is to be freed.
RICCI_NOINLINE inline bool drop_shared(storage_block& block) noexcept {
    namespace word = reference_word;
    maker* const made_by = block.made_by.load(std::memory_order_relaxed);
    std::uint32_t now = block.references.load(std::memory_order_acquire);
    for (int spins = 0; !made_by && !(now & word::complete); now = block.references.load(std::memory_order_acquire))
        spin_once(spins);                // the maker is about to complete the count
    if (now == word::sole) return true;  // no locked instruction: nobody else can copy the handle meanwhile
    if (now & word::complete) {
        if (!RICCI_SINGLE_THREADED)
            return block.references.fetch_sub(word::one, std::memory_order_acq_rel) - word::one == word::complete;
        block.references.store(now - word::one, std::memory_order_relaxed);
        return false;
    }
    std::uint32_t next;
    bool returns;
    do {
        next = now - word::one;
        returns = !(now & (word::complete | word::returned)) && word::count(next) < 0;
        if (returns) next |= word::returned;
    } while (!block.references.compare_exchange_weak(now, next, std::memory_order_acq_rel));
    return returns ? return_block(block, made_by) : next == word::complete;
}

RICCI_INLINE void add_handle(storage_block& block, const maker* me) noexcept {
    if (block.made_by.load(std::memory_order_relaxed) == me) [[likely]]
        block.own_references.store(block.own_references.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    else add_shared(block);
}
/// Counts one less where the caller has counted more than one; false, and nothing done, elsewhere. The rest is left to
/// one call, since there are as many of these as handles.
RICCI_INLINE bool drop_one_of_several(storage_block& block, const maker* me) noexcept {
    if (block.made_by.load(std::memory_order_relaxed) != me) [[unlikely]]
        return false;
    const std::uint32_t own = block.own_references.load(std::memory_order_relaxed);
    if (own <= 1) return false;
    block.own_references.store(own - 1, std::memory_order_relaxed);
    return true;
}
/// Counts one less where that did not; whether the block is to be freed.
inline bool drop_last_or_shared(storage_block& block, const maker* me) noexcept {
    if (block.made_by.load(std::memory_order_relaxed) != me) return drop_shared(block);
    if (block.references.load(std::memory_order_acquire) == 0) [[likely]]
        return true;
    block.own_references.store(0, std::memory_order_relaxed);
    return complete_count(block, 0);
}
/// The number of handles, if no other thread changes it meanwhile.
inline std::uint32_t count_handles(const storage_block& block) noexcept {
    const std::int32_t elsewhere = reference_word::count(block.references.load(std::memory_order_acquire));
    return static_cast<std::uint32_t>(elsewhere) + block.own_references.load(std::memory_order_relaxed);
}
/// Whether the caller's handle is the only one; false, too, while another thread counts apart.
RICCI_INLINE bool is_only_handle(const storage_block& block, const maker* me) noexcept {
    if (block.made_by.load(std::memory_order_relaxed) != me) [[unlikely]]
        return block.references.load(std::memory_order_acquire) == reference_word::sole;
    if (block.references.load(std::memory_order_acquire) == 0) [[likely]]
        return block.own_references.load(std::memory_order_relaxed) == 1;
    return count_handles(block) == 1;
}

// Plain reference counts. A process that never had a second thread counts with plain loads and stores, as libstdc++'s
// shared_ptr does.
template <class Count>
RICCI_INLINE void add_reference(atomic_word<Count>& references, Count one = 1) noexcept {
    if (RICCI_SINGLE_THREADED)
        references.store(references.load(std::memory_order_relaxed) + one, std::memory_order_relaxed);
    else references.fetch_add(one, std::memory_order_relaxed);
}

}  // namespace detail
}  // namespace ricci
