// The bytes behind tensors: a counted block, header and payload in one allocation, and the handle that counts it.
#pragma once
#include <atomic>
#include <limits>
#include <utility>

#include "allocator.hpp"
#include "config.hpp"

namespace ricci {
namespace detail {

static_assert(header_bytes == heap::block_alignment);
/// Blocks beyond this are counted by all threads alike: what other threads drop of them is free at once. Work on as
/// much takes far longer than a locked instruction.
inline constexpr std::size_t largest_counted_apart = std::size_t(64) << 10;

RICCI_INLINE bool holds_payload(const storage_block& block) noexcept {
    return block.data == reinterpret_cast<const unsigned char*>(&block) + header_bytes;
}
/// What memory that is written in place under a transform has in common with copies of its parts, which in a plain
/// array would see the writes, and whose writes it would see (expr/rewrite.hpp).
struct write_log {
    atomic_word<std::uint32_t> references{1};
    atomic_word<std::uint32_t> writes{0};
    atomic_word<std::uint32_t> part_mark{0};  // of the last write to a part
    // Of the last two transforms that wrote: an inner one that writes to a copy has an outer one's writes be
    // remembered. The mark, and, in the upper half, which write was its last.
    atomic_word<std::uint64_t> last[2]{0, 0};
    const storage_block* written;

    explicit write_log(const storage_block* block) : written(block) {}
    void add(std::uint32_t mark) noexcept {
        const std::uint32_t count = writes.load(std::memory_order_relaxed) + 1;
        const std::uint64_t before = last[0].load(std::memory_order_relaxed);
        if (static_cast<std::uint32_t>(before) != mark) last[1].store(before, std::memory_order_relaxed);
        last[0].store(std::uint64_t(count) << 32 | mark, std::memory_order_relaxed);
        writes.store(count, std::memory_order_relaxed);
    }
    /// Whether a transform wrote after the first `seen` writes.
    bool was_written(std::uint32_t mark, std::uint32_t seen) const noexcept {
        for (const auto& l : last) {
            const std::uint64_t by = l.load(std::memory_order_relaxed);
            const auto count = static_cast<std::uint32_t>(by >> 32);
            if (static_cast<std::uint32_t>(by) == mark && static_cast<std::int32_t>(count - seen) > 0) return true;
        }
        return false;
    }
    /// Lets go of a block's log: what such a block is released by.
    static void leave(storage_block& block) noexcept;
};
/// Drops a handle that drop_one_of_several left, and frees the block if it was the last one.
void drop_or_destroy(storage_block* block) noexcept;
RICCI_INLINE const maker* this_maker() noexcept { return heap::local_cache.self; }

}  // namespace detail

/// A counted handle to bytes. Copies share; the last one gives the bytes back to the allocator (or device, or foreign
/// owner) that they came from. Counting is thread-safe, a single handle is not, as with std::shared_ptr.
class storage {
    storage_block* block_ = nullptr;
    explicit storage(storage_block* block) noexcept : block_(block) {}
    RICCI_INLINE storage_block* release() noexcept {
        storage_block* block = std::exchange(block_, nullptr);
        RICCI_KEEP_SCALAR(block);  // of a variable: of the member it would keep every expression in memory
        return block;
    }

   public:
    storage() = default;
    // Inlined where heuristics would not: a call would keep an expression's handles in memory.
    RICCI_INLINE storage(const storage& other) noexcept : block_(other.block_) {
        if (block_) detail::add_handle(*block_, detail::this_maker());
    }
    RICCI_INLINE storage(storage&& other) noexcept : block_(other.release()) {}
    storage& operator=(const storage& other) noexcept {
        storage(other).swap(*this);
        return *this;
    }
    storage& operator=(storage&& other) noexcept {
        storage(std::move(other)).swap(*this);
        return *this;
    }
    RICCI_INLINE ~storage() {
        if (block_ && !detail::drop_one_of_several(*block_, detail::this_maker())) detail::drop_or_destroy(block_);
    }
    void swap(storage& other) noexcept { std::swap(block_, other.block_); }

    /// `bytes` uninitialised bytes aligned to 64 from the current allocator. Throws memory_error (a std::bad_alloc).
    static storage allocate(std::size_t bytes);
    /// A handle to bytes that the caller owns and keeps alive for as long as anything uses them.
    static storage borrow(void* data, std::size_t bytes) { return external(data, bytes, nullptr, nullptr); }

    /// A handle to bytes that `release(context)` lets go of, called once by the last handle (or at once if this
    /// throws).
    static storage adopt(void* data, std::size_t bytes, void (*release)(void* context), void* context);
    /// The same for other devices: `release(block)` sees the block, with data, bytes and context, before its header
    /// goes. If this throws, `release` was not called.
    static storage external(void* data, std::size_t bytes, void (*release)(storage_block&), void* context);

    explicit operator bool() const noexcept { return block_ != nullptr; }
    void* data() const noexcept { return block_ ? block_->data : nullptr; }
    /// Size of the payload in bytes.
    std::size_t bytes() const noexcept { return block_ ? block_->bytes : 0; }
    std::uint32_t use_count() const noexcept { return block_ ? detail::count_handles(*block_) : 0; }
    /// Whether this is the only handle, so that writing to the bytes is seen by nobody else. It may be said not to be
    /// where the bytes were allocated by another thread.
    bool unique() const noexcept { return block_ && detail::is_only_handle(*block_, detail::this_maker()); }
    /// Whether the bytes are the library's own to reuse: neither borrowed nor adopted nor on another device.
    bool owns_payload() const noexcept { return block_ && detail::holds_payload(*block_); }
    /// Both of these: whether the bytes may be written to anew.
    RICCI_INLINE bool uniquely_owns_payload() const noexcept {
        const storage_block* const block = block_;
        return block && detail::holds_payload(*block) && detail::is_only_handle(*block, detail::this_maker());
    }

    /// How often the bytes were written in place; a saved version that differs tells that a saved value is gone.
    std::uint32_t version() const noexcept { return block_ ? block_->version.load(std::memory_order_relaxed) : 0; }
    void bump_version() const noexcept {
        if (!block_) return;
        // no handle is known to other threads: nobody else counts writes
        const bool apart = block_->made_by.load(std::memory_order_relaxed) == detail::this_maker() &&
                           block_->references.load(std::memory_order_relaxed) == 0;
        if (RICCI_SINGLE_THREADED || apart) block_->version.store(version() + 1, std::memory_order_relaxed);
        else block_->version.fetch_add(1, std::memory_order_relaxed);
    }
    /// Whether anything may have been said to have superseded the bytes.
    bool may_be_superseded() const noexcept {
        if (!block_) return false;
        const std::uint32_t word = block_->superseded.load(std::memory_order_relaxed);
        if (!logs_writes()) return word != 0;
        return is_logged() ? word || log().part_mark.load(std::memory_order_relaxed)
                           : word != log().writes.load(std::memory_order_relaxed);
    }
    /// Whether a transform's write has, for values that share them and were not rebound (expr/rewrite.hpp).
    bool is_superseded(std::uint32_t mark) const noexcept {
        if (!block_ || !mark) return false;
        const std::uint32_t word = block_->superseded.load(std::memory_order_relaxed);
        if (!logs_writes()) return word == mark;
        if (!is_logged()) return log().was_written(mark, word);
        return word == mark || log().part_mark.load(std::memory_order_relaxed) == mark;
    }
    void supersede(std::uint32_t mark) const noexcept {
        if (!block_) return;
        if (logs_writes()) log().add(mark);  // copies of parts are parts of what was superseded
        if (logs_writes() && !is_logged()) log().part_mark.store(mark, std::memory_order_relaxed);
        else block_->superseded.store(mark, std::memory_order_relaxed);
    }
    /// Of memory that only this handle knows: has copies of its parts be told when it is written.
    void log_writes() const;
    /// Of such memory, too: that it was copied out of memory that logs its writes, which supersede it.
    void follow_writes(const storage& to) const;
    /// Whether it is memory that logs its writes.
    bool is_logged() const noexcept { return logs_writes() && log().written == block_; }
    /// Whether it was copied out of such memory.
    bool follows_writes() const noexcept { return logs_writes() && log().written != block_; }
    /// Another handle to these bytes, for reading: what writes to tensors refuses to write by it.
    storage read_only() const;
    /// That for elements T that are const, which the types of arrays under transforms do not say; else this handle.
    template <class T>
    storage for_elements() const {
        if constexpr (std::is_const_v<T>) return read_only();
        else return *this;
    }
    bool is_read_only() const noexcept { return block_ && block_->release == let_go_of_read_only; }
    /// Logs a write in place.
    void log_write(std::uint32_t mark) const noexcept { log().add(mark); }
    const storage_block* block() const noexcept { return block_; }
    friend bool operator==(const storage&, const storage&) = default;

   private:
    bool logs_writes() const noexcept { return block_ && block_->release == detail::write_log::leave; }
    detail::write_log& log() const noexcept { return *static_cast<detail::write_log*>(block_->context); }
    void join(detail::write_log* log) const noexcept;
    static storage allocate_any(std::size_t bytes);
    static void let_go_of_read_only(storage_block& block);
};

#if RICCI_ENGINE_BODIES
namespace detail {

/// A block of `bytes` bytes (header included) with a fresh header.
RICCI_INLINE storage_block* new_block(std::size_t bytes) {
    allocator* owner = heap::current_allocator.load(std::memory_order_acquire);
    void* memory = owner ? owner->allocate(bytes, heap::block_alignment) : heap::cache_allocate(bytes);
    auto* block = ::new (memory) storage_block;
    block->owner = owner;
    return block;
}
// What `adopt` keeps behind the header.
struct foreign_release {
    void (*call)(void*);
    static foreign_release& of(storage_block& block) {
        return *reinterpret_cast<foreign_release*>(reinterpret_cast<unsigned char*>(&block) + header_bytes);
    }
    static void run(storage_block& block) { of(block).call(block.context); }
};
inline constexpr std::size_t foreign_bytes = header_bytes + sizeof(foreign_release);  // of a block that is but a header

/// The same of blocks that others may know, or that are not the cache's.
RICCI_NOINLINE inline void drop_shared_or_destroy(storage_block* block) noexcept {
    if (!drop_last_or_shared(*block, this_maker())) return;
    const std::size_t bytes = holds_payload(*block) ? block->bytes + header_bytes : foreign_bytes;
    if (block->release) [[unlikely]]
        block->release(*block);
    if (block->owner) [[unlikely]]
        block->owner->deallocate(block, bytes, heap::block_alignment);
    else heap::cache_release(block, bytes);
}
RICCI_NOINLINE RICCI_ENGINE void drop_or_destroy(storage_block* block) noexcept {
    if (block->made_by.load(std::memory_order_relaxed) != this_maker() ||
        block->references.load(std::memory_order_acquire) != 0) [[unlikely]]
        return drop_shared_or_destroy(block);
    // What is counted apart lies in the cache's memory, and has no `release`.
    heap::cache_release(block, block->bytes + header_bytes);
}

}  // namespace detail

RICCI_ENGINE void detail::write_log::leave(storage_block& block) noexcept {
    auto* const log = static_cast<write_log*>(block.context);
    if (log->references.fetch_sub(1, std::memory_order_acq_rel) == 1) heap::cache_release(log, sizeof(write_log));
}
/// From then on all threads count alike: blocks that return to their maker have no room for a log.
RICCI_ENGINE void storage::join(detail::write_log* log) const noexcept {
    if (block_->made_by.load(std::memory_order_relaxed)) detail::complete_count(*block_, 0);
    block_->context = log;
    block_->release = detail::write_log::leave;
}
RICCI_ENGINE void storage::log_writes() const {
    if (!uniquely_owns_payload() || block_->release) return;
    join(::new (detail::heap::cache_allocate(sizeof(detail::write_log))) detail::write_log(block_));
}
RICCI_ENGINE void storage::follow_writes(const storage& to) const {
    if (!uniquely_owns_payload() || block_->release) return;
    detail::add_reference(to.log().references);
    block_->superseded.store(to.log().writes.load(std::memory_order_relaxed), std::memory_order_relaxed);
    join(&to.log());
}
/// A block of its own for `bytes` bytes, however many and wherever they come from.
RICCI_COLD RICCI_ENGINE storage storage::allocate_any(std::size_t bytes) {
    if (bytes > std::numeric_limits<std::size_t>::max() - detail::header_bytes) throw memory_error(bytes, 0, 0);
    storage_block* block = detail::new_block(bytes + detail::header_bytes);
    void* const payload = reinterpret_cast<unsigned char*>(block) + detail::header_bytes;
    detail::maker* const me = detail::heap::local_cache.self;
    if (!block->owner && me != &detail::nobody && bytes <= detail::largest_counted_apart)
        return storage(::new (block) storage_block(payload, bytes, me));
    block->data = payload;
    block->bytes = bytes;
    return storage(block);
}
RICCI_NOINLINE RICCI_ENGINE storage storage::allocate(std::size_t bytes) {
    static_assert(detail::largest_counted_apart + detail::header_bytes <= detail::heap::largest_small);
    detail::maker* const me = detail::heap::local_cache.self;
    if (bytes <= detail::largest_counted_apart && me != &detail::nobody &&
        !detail::heap::current_allocator.load(std::memory_order_acquire)) [[likely]]
        if (void* const memory = detail::heap::cache_allocate_at_hand(bytes + detail::header_bytes)) [[likely]]
            return storage(::new (memory)
                               storage_block(static_cast<unsigned char*>(memory) + detail::header_bytes, bytes, me));
    return allocate_any(bytes);
}
RICCI_ENGINE storage storage::adopt(void* data, std::size_t bytes, void (*release)(void* context), void* context) {
    storage_block* block;
    try {
        block = detail::new_block(detail::foreign_bytes);
    } catch (...) {
        release(context);
        throw;
    }
    ::new (&detail::foreign_release::of(*block)) detail::foreign_release{release};
    block->data = data;
    block->bytes = bytes;
    block->release = detail::foreign_release::run;
    block->context = context;
    return storage(block);
}
RICCI_ENGINE storage storage::external(void* data, std::size_t bytes, void (*release)(storage_block&), void* context) {
    storage_block* block = detail::new_block(detail::foreign_bytes);
    block->data = data;
    block->bytes = bytes;
    block->release = release;
    block->context = context;
    return storage(block);
}
RICCI_ENGINE void storage::let_go_of_read_only(storage_block& block) {
    const storage of(static_cast<storage_block*>(block.context));
}
RICCI_ENGINE storage storage::read_only() const {
    storage share = *this;
    storage reader = external(data(), bytes(), let_go_of_read_only, block_);
    share.release();  // its count is the reader's
    return reader;
}
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci
