// The bytes behind tensors: a counted block, header and payload in one allocation, and the handle that counts it.
#pragma once
#include <atomic>
#include <limits>
#include <utility>

#include "allocator.hpp"
#include "config.hpp"

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define RICCI_SINGLE_THREADED (__libc_single_threaded)
#else
#define RICCI_SINGLE_THREADED false
#endif

namespace ricci {

/// What a storage handle points to. `data` is the payload: right behind the header for memory of the CPU's allocator, else
/// wherever `release` knows to let go of it.
struct storage_block {
    std::atomic<std::uint32_t> references{1};
    std::atomic<std::uint32_t> version{0};  // how often the payload was written in place
    void* data = nullptr;
    std::size_t bytes = 0;                      // size of the payload
    allocator* owner = nullptr;                 // of this block; null: the caching allocator
    std::size_t block_bytes = 0;                // as asked of `owner`: the header, and the payload if it follows
    void (*release)(storage_block&) = nullptr;  // called before the block goes; null: nothing to do
    void* context = nullptr;                    // for `release`
};

namespace detail {

inline constexpr std::size_t header_bytes = 64;
static_assert(sizeof(storage_block) <= header_bytes && header_bytes == heap::block_alignment);

// Reference counts. A process that never had a second thread counts with plain loads and stores, as libstdc++'s shared_ptr
// does.
template <class Count>
RICCI_INLINE void add_reference(std::atomic<Count>& references) noexcept {
    if (RICCI_SINGLE_THREADED)
        references.store(references.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    else references.fetch_add(1, std::memory_order_relaxed);
}
/// Whether that was the last reference.
template <class Count>
RICCI_INLINE bool drop_reference(std::atomic<Count>& references) noexcept {
    // The only owner needs no locked instruction: nobody else can copy the handle meanwhile.
    const Count count = references.load(std::memory_order_acquire);
    if (count == 1) return true;
    if (RICCI_SINGLE_THREADED) {
        references.store(count - 1, std::memory_order_relaxed);
        return false;
    }
    return references.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

/// A block of `bytes` bytes (header included) with a fresh header.
RICCI_INLINE storage_block* new_block(std::size_t bytes) {
    allocator* owner = heap::current_allocator.load(std::memory_order_acquire);
    void* memory = owner ? owner->allocate(bytes, heap::block_alignment) : heap::cache_allocate(bytes);
    auto* block = ::new (memory) storage_block;
    block->owner = owner;
    block->block_bytes = bytes;
    return block;
}
RICCI_NOINLINE inline void destroy(storage_block* block) noexcept {
    if (block->release) [[unlikely]]
        block->release(*block);
    if (block->owner) [[unlikely]]
        block->owner->deallocate(block, block->block_bytes, heap::block_alignment);
    else heap::cache_release(block, block->block_bytes);
}

// What `adopt` keeps behind the header.
struct foreign_release {
    void (*call)(void*);
    static foreign_release& of(storage_block& block) {
        return *reinterpret_cast<foreign_release*>(reinterpret_cast<unsigned char*>(&block) + header_bytes);
    }
    static void run(storage_block& block) { of(block).call(block.context); }
};

}  // namespace detail

/// A counted handle to bytes. Copies share; the last one gives the bytes back to the allocator (or device, or foreign owner)
/// that they came from. Counting is thread-safe, a single handle is not, as with std::shared_ptr.
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
    storage(const storage& other) noexcept : block_(other.block_) {
        if (block_) detail::add_reference(block_->references);
    }
    storage(storage&& other) noexcept : block_(other.release()) {}
    storage& operator=(const storage& other) noexcept {
        storage(other).swap(*this);
        return *this;
    }
    storage& operator=(storage&& other) noexcept {
        storage(std::move(other)).swap(*this);
        return *this;
    }
    RICCI_INLINE ~storage() {
        if (block_ && detail::drop_reference(block_->references)) detail::destroy(block_);
    }
    void swap(storage& other) noexcept { std::swap(block_, other.block_); }

    /// `bytes` uninitialised bytes aligned to 64 from the current allocator. Throws memory_error (a std::bad_alloc).
    static RICCI_NOINLINE storage allocate(std::size_t bytes) {
        if (bytes > std::numeric_limits<std::size_t>::max() - detail::header_bytes) throw memory_error(bytes, 0, 0);
        storage_block* block = detail::new_block(bytes + detail::header_bytes);
        block->data = reinterpret_cast<unsigned char*>(block) + detail::header_bytes;
        block->bytes = bytes;
        return storage(block);
    }
    /// A handle to bytes that the caller owns and keeps alive for as long as anything uses them.
    static storage borrow(void* data, std::size_t bytes) { return external(data, bytes, nullptr, nullptr); }

    /// A handle to bytes that `release(context)` lets go of, called once by the last handle (or at once if this throws).
    static storage adopt(void* data, std::size_t bytes, void (*release)(void* context), void* context) {
        storage_block* block;
        try {
            block = detail::new_block(detail::header_bytes + sizeof(detail::foreign_release));
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
    /// The same for other devices: `release(block)` sees the block, with data, bytes and context, before its header goes. If
    /// this throws, `release` was not called.
    static storage external(void* data, std::size_t bytes, void (*release)(storage_block&), void* context) {
        storage_block* block = detail::new_block(detail::header_bytes);
        block->data = data;
        block->bytes = bytes;
        block->release = release;
        block->context = context;
        return storage(block);
    }

    explicit operator bool() const noexcept { return block_ != nullptr; }
    void* data() const noexcept { return block_ ? block_->data : nullptr; }
    /// Size of the payload in bytes.
    std::size_t bytes() const noexcept { return block_ ? block_->bytes : 0; }
    std::uint32_t use_count() const noexcept { return block_ ? block_->references.load(std::memory_order_relaxed) : 0; }
    /// Whether this is the only handle, so that writing to the bytes is seen by nobody else.
    bool unique() const noexcept { return block_ && block_->references.load(std::memory_order_acquire) == 1; }
    /// Whether the bytes are the library's own to reuse: neither borrowed nor adopted nor on another device.
    bool owns_payload() const noexcept {
        return block_ && block_->data == reinterpret_cast<unsigned char*>(block_) + detail::header_bytes;
    }

    /// How often the bytes were written in place; a saved version that differs tells that a saved value is gone.
    std::uint32_t version() const noexcept { return block_ ? block_->version.load(std::memory_order_relaxed) : 0; }
    void bump_version() const noexcept {
        if (!block_) return;
        if (RICCI_SINGLE_THREADED) block_->version.store(version() + 1, std::memory_order_relaxed);
        else block_->version.fetch_add(1, std::memory_order_relaxed);
    }
    const storage_block* block() const noexcept { return block_; }
    friend bool operator==(const storage&, const storage&) = default;
};

}  // namespace ricci
