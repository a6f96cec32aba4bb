// Memory of a device that is the host's, guarded as if it were not: the host may not touch it but in copies, and
// kernels may not touch the tensors of the CPU. Nothing is used twice, so that what was freed stays out of reach.
// Whatever does so faults: a debugger says where.
#include <sys/mman.h>
#include <ricci/cuda/device.hpp>

#include <cstdlib>
#include <map>
#include <mutex>

namespace ricci::detail {
namespace {

/// Addresses for one of both memories, and the blocks there.
class address_space {
   public:
    void* allocate(std::size_t bytes) {
        const std::size_t size = bytes / page * page + page;
        if (size >= left_ || bytes >= left_) throw memory_error(bytes, 0, 0);
        char* const data = begin_ + (reserved - left_);
        left_ -= size + page;  // one more between blocks, which none may touch
        blocks_[data] = size;
        if (open_) protect(PROT_READ | PROT_WRITE, data, size);
        // the end of a page is the end of the block, as near as alignment lets it be
        return data + (size - bytes) / alignment * alignment;
    }
    void release(void* data) {
        const auto block = std::prev(blocks_.upper_bound(static_cast<char*>(data)));
        madvise(block->first, block->second, MADV_DONTNEED);
        protect(PROT_NONE, block->first, block->second);
        blocks_.erase(block);
    }
    void set_open(bool open) {
        if (open == open_) return;
        open_ = open;
        for (const auto& [data, size] : blocks_) protect(open ? PROT_READ | PROT_WRITE : PROT_NONE, data, size);
    }

   private:
    static constexpr std::size_t reserved = std::size_t(1) << 37, page = 4096, alignment = 256;
    static void protect(int how, char* data, std::size_t size) {
        if (mprotect(data, size, how) != 0) std::abort();
    }
    static char* reserve() {
        void* const p = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) std::abort();
        return static_cast<char*>(p);
    }

    char* const begin_ = reserve();
    std::size_t left_ = reserved;
    std::map<char*, std::size_t> blocks_;
    bool open_ = true;
};

class guarded_memory final : public allocator {
   public:
    static guarded_memory& instance() {
        static auto& one = *new guarded_memory;  // outlive the tensors of static objects
        return one;
    }
    storage allocate_on_device(std::size_t bytes) {
        void* data;
        {
            const std::lock_guard<std::mutex> alone(mutex_);
            data = device_.allocate(bytes);
        }
        return storage::external(data, bytes, [](storage_block& b) { instance().release_on_device(b.data); }, nullptr);
    }
    void* allocate(std::size_t bytes, std::size_t) override {
        const std::lock_guard<std::mutex> alone(mutex_);
        return host_.allocate(bytes);
    }
    void deallocate(void* block, std::size_t, std::size_t) noexcept override {
        const std::lock_guard<std::mutex> alone(mutex_);
        host_.release(block);
    }
    void open(bool host, bool device) {
        const std::lock_guard<std::mutex> alone(mutex_);
        device_.set_open(device);
        host_.set_open(host);
    }

   private:
    std::mutex mutex_;
    address_space host_, device_;

    guarded_memory() { device_.set_open(false); }
    void release_on_device(void* data) {
        const std::lock_guard<std::mutex> alone(mutex_);
        device_.release(data);
    }
};

device_work now = device_work::none;  // tests work on the device by one thread at a time
void let(device_work kind) {
    now = kind;
    guarded_memory::instance().open(kind != device_work::kernel, kind != device_work::none);
}

[[maybe_unused]] const bool guards_host = (set_allocator(&guarded_memory::instance()), true);

}  // namespace

storage allocate_device_memory(std::size_t bytes) { return guarded_memory::instance().allocate_on_device(bytes); }
work_scope::work_scope(device_work kind) : before_(now) { let(kind); }
work_scope::~work_scope() { let(before_); }

}  // namespace ricci::detail
