// The caching allocator: classes, reuse, statistics, limits, threads, and the user's own allocator.
#include <doctest/doctest.h>
#include <ricci/core/allocator.hpp>

#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

using namespace ricci;

namespace {

struct restore_settings {
    ~restore_settings() {
        set_memory_limit(0);
        set_cache_limit(std::size_t(1) << 30);
        set_allocator(nullptr);
    }
};

bool aligned(const void* p, std::size_t alignment) { return reinterpret_cast<std::uintptr_t>(p) % alignment == 0; }

struct counting_allocator final : allocator {
    int live = 0;
    std::size_t last_bytes = 0;
    void* allocate(std::size_t bytes, std::size_t alignment) override {
        ++live;
        last_bytes = bytes;
        return ::operator new(bytes, std::align_val_t(alignment));
    }
    void deallocate(void* block, std::size_t, std::size_t alignment) noexcept override {
        --live;
        ::operator delete(block, std::align_val_t(alignment));
    }
};

}  // namespace

TEST_CASE("allocator: a size class holds what is asked of it and wastes at most an eighth") {
    int last = 0;
    for (std::size_t bytes = 0; bytes < 300000; bytes += bytes < 70000 ? 1 : 37) {
        const int c = detail::heap::size_class(bytes);
        REQUIRE(c >= last);
        REQUIRE(c - last <= 1);
        last = c;
        const std::size_t size = detail::heap::class_bytes(c);
        REQUIRE(size >= bytes);
        REQUIRE(size % 64 == 0);
        REQUIRE(size <= bytes + (bytes < 1088 ? 64 : bytes / 8));
        REQUIRE(detail::heap::size_class(size) == c);
    }
    for (int power = 7; power <= 46; ++power) {
        const std::size_t payload = std::size_t(1) << power;
        CHECK(detail::heap::class_bytes(detail::heap::size_class(payload + 64)) == payload + 64);
    }
}

TEST_CASE("allocator: blocks are aligned, writable and reused") {
    allocator* a = get_allocator();
    for (std::size_t bytes : {std::size_t(0), std::size_t(1), std::size_t(64), std::size_t(1000), std::size_t(65600),
                              std::size_t(65601), std::size_t(5000000)}) {
        void* first = a->allocate(bytes, 64);
        CHECK(aligned(first, 64));
        std::memset(first, 0xab, bytes);
        a->deallocate(first, bytes, 64);
        const memory_statistics before = allocator_statistics();
        void* again = a->allocate(bytes, 64);
        CHECK(again == first);
        const memory_statistics after = allocator_statistics();
        CHECK(after.allocations == before.allocations + 1);
        CHECK(after.cache_hits == before.cache_hits + 1);
        a->deallocate(again, bytes, 64);
    }
    void* wide = a->allocate(100, 4096);
    CHECK(aligned(wide, 4096));
    std::memset(wide, 1, 100);
    a->deallocate(wide, 100, 4096);
}

TEST_CASE("allocator: statistics follow what is in use and cached") {
    restore_settings restore;
    empty_cache();
    CHECK(allocator_statistics().bytes_cached <= std::size_t(1) << 20);
    const memory_statistics start = allocator_statistics();
    reset_peak_statistics();
    void* big = get_allocator()->allocate((1 << 20) + 64, 64);
    void* small = get_allocator()->allocate(128, 64);
    memory_statistics now = allocator_statistics();
    CHECK(now.bytes_in_use - start.bytes_in_use == (1 << 20) + 64 + 128);
    CHECK(now.peak_bytes_in_use == now.bytes_in_use);
    get_allocator()->deallocate(big, (1 << 20) + 64, 64);
    get_allocator()->deallocate(small, 128, 64);
    now = allocator_statistics();
    CHECK(now.bytes_in_use == start.bytes_in_use);
    CHECK(now.bytes_cached - start.bytes_cached == (1 << 20) + 64 + 128);
    CHECK(now.peak_bytes_in_use - start.bytes_in_use == (1 << 20) + 64 + 128);
    empty_cache();
    CHECK(allocator_statistics().bytes_cached == start.bytes_cached);
}

TEST_CASE("allocator: absurd sizes are refused") {
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    for (std::size_t bytes : {most, most - 63, most / 2, (std::size_t(1) << 46) + 65})
        CHECK_THROWS_AS(get_allocator()->allocate(bytes, 64), std::bad_alloc);
    CHECK_THROWS_AS(get_allocator()->allocate(most, 4096), std::bad_alloc);
    const memory_statistics s = allocator_statistics();
    CHECK(s.bytes_in_use + s.bytes_cached < std::size_t(1) << 40);
}

TEST_CASE("allocator: the memory limit releases the cache first, then throws and says so") {
    restore_settings restore;
    empty_cache();
    const memory_statistics start = allocator_statistics();
    set_memory_limit(start.bytes_in_use + start.bytes_cached + (4 << 20));
    void* first = get_allocator()->allocate(3 << 20, 64);
    get_allocator()->deallocate(first, 3 << 20, 64);  // now cached: the next one fits only if it goes
    void* second = get_allocator()->allocate(2 << 20, 64);
    CHECK(allocator_statistics().bytes_cached == start.bytes_cached);
    std::string text;
    try {
        get_allocator()->allocate(2 << 20, 64);
    } catch (const std::bad_alloc& e) {
        text = e.what();
    }
    CHECK(text.find("[allocate] 2097152 bytes would exceed the memory limit of ") == 0);
    get_allocator()->deallocate(second, 2 << 20, 64);
    second = get_allocator()->allocate(2 << 20, 64);
    get_allocator()->deallocate(second, 2 << 20, 64);
    set_memory_limit(1);
    CHECK_THROWS_AS(get_allocator()->allocate(9 << 20, 64), memory_error);
}

TEST_CASE("allocator: the cache is bounded, and what was not used for longest goes first") {
    restore_settings restore;
    empty_cache();
    set_cache_limit(4 << 20);
    allocator* a = get_allocator();
    void* p1 = a->allocate(1 << 20, 64);
    void* p2 = a->allocate(2 << 20, 64);
    void* p3 = a->allocate(3 << 20, 64);
    a->deallocate(p1, 1 << 20, 64);
    a->deallocate(p2, 2 << 20, 64);
    a->deallocate(p3, 3 << 20, 64);
    CHECK(allocator_statistics().bytes_cached <= std::size_t(5) << 20);  // other threads' blocks included
    const auto hits = allocator_statistics().cache_hits;
    p3 = a->allocate(3 << 20, 64);
    CHECK(allocator_statistics().cache_hits == hits + 1);
    p2 = a->allocate(2 << 20, 64);
    CHECK(allocator_statistics().cache_hits == hits + 1);
    a->deallocate(p2, 2 << 20, 64);
    a->deallocate(p3, 3 << 20, 64);

    set_cache_limit(0);
    const auto cached = allocator_statistics().bytes_cached;
    for (std::size_t bytes : {std::size_t(100), std::size_t(1) << 20}) a->deallocate(a->allocate(bytes, 64), bytes, 64);
    CHECK(allocator_statistics().bytes_cached == cached);
}

TEST_CASE("allocator: many small blocks overflow the thread's share and come back") {
    allocator* a = get_allocator();
    for (std::size_t bytes : {std::size_t(64), std::size_t(5000), std::size_t(60000)}) {
        const auto in_use = allocator_statistics().bytes_in_use;
        std::vector<void*> blocks(3 * detail::heap::thread_room / bytes);
        for (int round = 0; round < 2; ++round) {
            const auto hits = allocator_statistics().cache_hits;
            for (void*& p : blocks) std::memset(p = a->allocate(bytes, 64), 1, bytes);
            if (round) {
                CHECK(allocator_statistics().cache_hits == hits + blocks.size());
            }
            for (void* p : blocks) a->deallocate(p, bytes, 64);
        }
        CHECK(allocator_statistics().bytes_in_use == in_use);
    }
}

TEST_CASE("allocator: blocks cross threads and threads leave nothing behind") {
    const auto start = allocator_statistics();
    std::vector<std::vector<unsigned char*>> made(4);
    const auto size = [](int i) { return std::size_t(1 + (i * 7919) % 90000); };
    const auto run = [](auto body) {
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) threads.emplace_back(body, t);
        for (auto& t : threads) t.join();
    };
    run([&](int t) {
        for (int i = 0; i < 400; ++i) {
            auto* p = static_cast<unsigned char*>(get_allocator()->allocate(size(i), 64));
            std::memset(p, t + 1, size(i));
            made[static_cast<std::size_t>(t)].push_back(p);
            void* brief = get_allocator()->allocate(256, 64);
            get_allocator()->deallocate(brief, 256, 64);
        }
    });
    int wrong = 0;
    run([&](int t) {
        auto& blocks = made[static_cast<std::size_t>((t + 1) % 4)];
        for (int i = 0; i < 400; ++i) {
            unsigned char* p = blocks[static_cast<std::size_t>(i)];
            if (p[0] != (t + 1) % 4 + 1 || p[size(i) - 1] != (t + 1) % 4 + 1)
                __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
            get_allocator()->deallocate(p, size(i), 64);
        }
    });
    CHECK(wrong == 0);
    const auto end = allocator_statistics();
    CHECK(end.bytes_in_use == start.bytes_in_use);
    CHECK(end.allocations == start.allocations + 3200);
    CHECK(end.peak_bytes_in_use >= end.bytes_in_use + 1600 * 40000);
}

TEST_CASE("allocator: the user's allocator replaces the cache and can be taken back") {
    restore_settings restore;
    counting_allocator mine;
    allocator* before = set_allocator(&mine);
    CHECK(get_allocator() == &mine);
    CHECK(set_allocator(before) == &mine);
    CHECK(get_allocator() == before);
    CHECK(set_allocator(nullptr) == before);
    CHECK(get_allocator() == before);
}
