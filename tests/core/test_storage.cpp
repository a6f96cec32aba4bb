// Storage handles: counting, versions, borrowed, adopted and foreign memory, the user's allocator, threads.
#include <doctest/doctest.h>
#include <ricci/core/storage.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "../fork.hpp"

using namespace ricci;

namespace {

struct counting_allocator final : allocator {
    int live = 0;
    bool refuse = false;
    void* allocate(std::size_t bytes, std::size_t alignment) override {
        if (refuse) throw std::bad_alloc();
        ++live;
        return ::operator new(bytes, std::align_val_t(alignment));
    }
    void deallocate(void* block, std::size_t, std::size_t alignment) noexcept override {
        --live;
        ::operator delete(block, std::align_val_t(alignment));
    }
};

// Destroyed after main, when thread-local objects are gone already.
storage survivor = storage::allocate(1000);

}  // namespace

TEST_CASE("storage: an empty handle has nothing") {
    storage none;
    CHECK_FALSE(none);
    CHECK(none.data() == nullptr);
    CHECK(none.use_count() == 0);
    CHECK_FALSE(none.unique());
    CHECK(none.version() == 0);
    none.bump_version();
    storage copy = none;
    CHECK_FALSE(copy);
    CHECK(copy == none);
}

TEST_CASE("storage: payloads are aligned, counted and given back") {
    CHECK(survivor);
    const auto in_use = allocator_statistics().bytes_in_use;
    for (std::size_t bytes : {std::size_t(0), std::size_t(1), std::size_t(400), std::size_t(1) << 20}) {
        storage s = storage::allocate(bytes);
        CHECK(s);
        CHECK(s.bytes() == bytes);
        CHECK(reinterpret_cast<std::uintptr_t>(s.data()) % 64 == 0);
        std::memset(s.data(), 7, bytes);
        CHECK(s.unique());
        CHECK(s.owns_payload());
        CHECK(s.uniquely_owns_payload());
        {
            storage t = s;
            CHECK_FALSE(s.uniquely_owns_payload());
            CHECK(t == s);
            CHECK(s.use_count() == 2);
            CHECK_FALSE(s.unique());
            storage u = std::move(t);
            CHECK_FALSE(t);
            CHECK(s.use_count() == 2);
            u = storage::allocate(8);
            CHECK(s.use_count() == 1);
            u = s;
            storage& self = u;
            u = self;
            CHECK(s.use_count() == 2);
            CHECK(u.data() == s.data());
        }
        CHECK(s.unique());
    }
    CHECK(allocator_statistics().bytes_in_use == in_use);
    CHECK_THROWS_AS(storage::allocate(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
    CHECK_THROWS_AS(storage::allocate(std::numeric_limits<std::size_t>::max() - 64), std::bad_alloc);
}

TEST_CASE("storage: versions count writes and are shared") {
    storage s = storage::allocate(8), t = s;
    CHECK(s.version() == 0);
    t.bump_version();
    t.bump_version();
    CHECK(s.version() == 2);
    CHECK(storage::allocate(8).version() == 0);
}

TEST_CASE("storage: borrowed memory is left alone") {
    double values[3] = {1, 2, 3};
    {
        storage s = storage::borrow(values, sizeof values);
        CHECK(s.data() == values);
        CHECK(s.bytes() == sizeof values);
        CHECK_FALSE(s.owns_payload());
        CHECK_FALSE(s.uniquely_owns_payload());
        CHECK_FALSE(storage::borrow(values, 0).owns_payload());
    }
    CHECK(values[2] == 3);
}

TEST_CASE("storage: adopted memory is released once, by the last handle") {
    int released = 0;
    const auto release = [](void* context) { ++*static_cast<int*>(context); };
    double value = 1;
    {
        storage s = storage::adopt(&value, sizeof value, release, &released);
        storage t = s;
        s = storage();
        CHECK(released == 0);
        CHECK(t.data() == &value);
        CHECK_FALSE(t.owns_payload());
    }
    CHECK(released == 1);

    counting_allocator refusing;
    refusing.refuse = true;
    set_allocator(&refusing);
    CHECK_THROWS_AS(storage::adopt(&value, sizeof value, release, &released), std::bad_alloc);
    set_allocator(nullptr);
    CHECK(released == 2);
}

TEST_CASE("storage: another device's release sees its block") {
    static std::size_t seen = 0;
    {
        storage s =
            storage::external(reinterpret_cast<void*>(0x1000), 123, [](storage_block& b) { seen = b.bytes; }, nullptr);
        CHECK(s.data() == reinterpret_cast<void*>(0x1000));
    }
    CHECK(seen == 123);
}

TEST_CASE("storage: blocks return to the allocator that they came from") {
    counting_allocator mine;
    set_allocator(&mine);
    storage s = storage::allocate(100);
    set_allocator(nullptr);
    storage t = storage::allocate(100);
    CHECK(mine.live == 1);
    s = t;
    CHECK(mine.live == 0);
}

TEST_CASE("storage: handles are counted across threads") {
    const auto in_use = allocator_statistics().bytes_in_use;
    {
        storage shared_one = storage::allocate(4096);
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([mine = shared_one] {
                for (int i = 0; i < 2000; ++i) {
                    storage copy = mine;
                    storage own = storage::allocate(static_cast<std::size_t>(i));
                    std::memset(own.data(), i, own.bytes());
                    copy.bump_version();
                }
            });
        storage last = std::move(shared_one);
        for (auto& t : threads) t.join();
        CHECK(last.version() == 8000);
        threads.clear();
        CHECK(last.unique());
    }
    CHECK(allocator_statistics().bytes_in_use == in_use);
}

TEST_CASE("storage: what another thread drops comes back to its maker") {
    const auto in_use = [] { return allocator_statistics().bytes_in_use; };
    const auto before = in_use();
    storage kept = storage::allocate(4096);
    storage moved = storage::allocate(4096);
    const void* const place = moved.data();
    std::thread([copy = kept, last = std::move(moved)]() mutable {
        CHECK_FALSE(last.unique());  // as far as this thread can tell
        CHECK(last.use_count() == 1);
        last = storage();
        copy = storage();
    }).join();
    CHECK(kept.unique());
    CHECK(kept.use_count() == 1);
    bool reused = false;  // the maker finds it when its own memory of that size is used up
    std::vector<storage> others;
    for (int i = 0; i < 1000 && !reused; ++i) {
        others.push_back(storage::allocate(4096));
        reused = others.back().data() == place;
    }
    CHECK(reused);
    others.clear();
    storage again = kept;  // counted in common by now
    CHECK_FALSE(kept.unique());
    again = storage();
    CHECK(kept.unique());
    kept = storage();
    CHECK(in_use() == before);
}

TEST_CASE("storage: a block that comes back beside a bundle of its size is not lost") {
    empty_cache();
    const auto before = allocator_statistics().bytes_cached;
    storage mine = storage::allocate(3000);
    std::thread([last = std::move(mine)]() mutable {  // returned to its maker, which has yet to see it
        storage others[3];
        for (storage& s : others) s = storage::allocate(3000);  // a bundle once the thread has ended
        last = storage();
    })
        .join();
    storage::allocate(3000);
    empty_cache();
    CHECK(allocator_statistics().bytes_cached == before);
}

TEST_CASE("storage: blocks outlive the threads that made them") {
    const auto before = allocator_statistics().bytes_in_use;
    storage a, b;
    std::thread([&] {
        storage one = storage::allocate(512);
        a = one;
        b = one;
    }).join();
    CHECK(a.use_count() == 2);
    std::thread([&] {  // in the name of the one that has ended
        storage c = storage::allocate(512), d = a;
        d = b;
        b = storage();
    })
        .join();
    std::memset(a.data(), 1, a.bytes());
    a = storage();
    CHECK(allocator_statistics().bytes_in_use == before);
}

TEST_CASE("storage: handles wander between threads that make, copy, drop and end") {
    const auto before = allocator_statistics().bytes_in_use;
    constexpr std::size_t places = 16;
    struct place {
        std::mutex lock;
        storage handle;
    };
    {
        place table[places];
        std::atomic<int> wrong{0};
        const auto wander = [&](unsigned seed) {
            std::vector<storage> mine;
            const auto holds = [](const storage& s) {  // every word is the block's own address while it lives
                const auto* words = static_cast<const void* const*>(s.data());
                for (std::size_t i = 0; i < s.bytes() / sizeof(void*); ++i)
                    if (words[i] != words) return false;
                return true;
            };
            for (int i = 0; i < 4000; ++i) {
                seed = seed * 1664525 + 1013904223;
                place& at = table[(seed >> 8) % places];
                switch ((seed >> 24) % 5) {
                    case 0: {
                        storage fresh = storage::allocate(64 + (seed >> 12) % 512);
                        const auto words = static_cast<void**>(fresh.data());
                        std::fill_n(words, fresh.bytes() / sizeof(void*), static_cast<void*>(words));
                        mine.push_back(std::move(fresh));
                        break;
                    }
                    case 1:
                        if (!mine.empty()) mine.push_back(mine[seed % mine.size()]);
                        break;
                    case 2:
                        if (!mine.empty()) {
                            std::lock_guard guard(at.lock);
                            std::swap(at.handle, mine[seed % mine.size()]);
                        }
                        break;
                    case 3: {
                        std::lock_guard guard(at.lock);
                        mine.push_back(at.handle);
                        break;
                    }
                    default:
                        if (!mine.empty()) {
                            std::swap(mine.back(), mine[seed % mine.size()]);
                            wrong += !holds(mine.back());
                            mine.pop_back();
                        }
                }
            }
        };
        for (unsigned round = 0; round < 3; ++round) {  // later threads count in the names of earlier ones
            std::vector<std::thread> threads;
            for (unsigned t = 0; t < 4; ++t) threads.emplace_back(wander, 4 * round + t);
            wander(100 + round);
            for (auto& t : threads) t.join();
        }
        CHECK(wrong == 0);
    }
    CHECK(allocator_statistics().bytes_in_use == before);
}

TEST_CASE("storage: a forked child can allocate while the parent's threads do") {
    // Blocks for both from the start: AddressSanitizer's malloc, unlike this cache, may leave a child its lock taken.
    {
        const storage one = storage::allocate(100000), other = storage::allocate(100000);
    }
    std::atomic<bool> started{false}, stop{false};
    std::thread busy([&] {
        for (; !stop; started = true) storage::allocate(100000);  // beyond a thread's own share: takes the common lock
    });
    while (!started) std::this_thread::yield();
    for (int i = 0; i < 50; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            storage s = storage::allocate(100000);
            _exit(s ? 0 : 1);
        }
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child);
        REQUIRE(status == 0);
    }
    stop = true;
    busy.join();
}

#if RICCI_TEST_FORK
TEST_CASE("storage: a forked child's threads end, whose stacks are those of threads that it does not have") {
    std::atomic<int> enrolled{0};
    std::atomic<bool> stop{false};
    std::vector<std::thread> parents;
    for (int t = 0; t < 3; ++t)
        parents.emplace_back([&] {
            const storage kept = storage::allocate(1000);
            ++enrolled;
            while (!stop) std::this_thread::yield();
        });
    while (enrolled < 3) std::this_thread::yield();
    const memory_statistics before = allocator_statistics();
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        const memory_statistics inherited = allocator_statistics();
        bool same = inherited.allocations == before.allocations && inherited.bytes_in_use == before.bytes_in_use;
        for (int round = 0; round < 3; ++round) {
            std::vector<std::thread> own;
            for (int t = 0; t < 3; ++t) own.emplace_back([] { storage::allocate(1000); });
            for (auto& t : own) t.join();
        }
        same = same && allocator_statistics().allocations == before.allocations + 9;
        _exit(same ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    stop = true;
    for (auto& t : parents) t.join();
}
#endif
