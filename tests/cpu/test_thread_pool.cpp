// The thread pool: every chunk once, exceptions, nesting, several callers, resizing.
#include <doctest/doctest.h>

#include <atomic>
#include <ricci/core/error.hpp>
#include <ricci/cpu/thread_pool.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "../fork.hpp"

namespace {

using ricci::index_t;

template <class F>
void run(index_t chunks, F f) {
    ricci::detail::parallel_for(chunks, [](void* c, index_t i) { (*static_cast<F*>(c))(i); }, &f);
}

struct with_threads {
    int before = ricci::num_threads();
    explicit with_threads(int n) { ricci::set_num_threads(n); }
    ~with_threads() { ricci::set_num_threads(before); }
};

bool each_once(index_t n) {
    std::vector<int> seen(static_cast<std::size_t>(n), 0);
    run(n, [&](index_t i) { ++seen[static_cast<std::size_t>(i)]; });
    for (const int s : seen)
        if (s != 1) return false;
    return true;
}

}  // namespace

TEST_CASE("every chunk runs once, with any number of threads") {
    for (const int threads : {1, 2, 3, 8, 2, 1, 4}) {
        const with_threads set(threads);
        CHECK(ricci::num_threads() == threads);
        for (const index_t n : {0, 1, 2, 3, 7, 64, 1000}) CHECK(each_once(n));
    }
}

TEST_CASE("one thread: bodies run in the caller, in order") {
    const with_threads set(1);
    const auto caller = std::this_thread::get_id();
    index_t expected = 0;
    run(100, [&](index_t i) {
        CHECK(std::this_thread::get_id() == caller);
        CHECK(i == expected++);
    });
}

TEST_CASE("a nested call runs in the thread that makes it") {
    const with_threads set(4);
    std::atomic<int> total{0};
    std::atomic<bool> moved{false};
    run(16, [&](index_t) {
        const auto outer = std::this_thread::get_id();
        run(10, [&](index_t) {
            if (std::this_thread::get_id() != outer) moved = true;
            ++total;
        });
    });
    CHECK(total == 160);
    CHECK(!moved);
}

TEST_CASE("an exception of a body reaches the caller and the pool goes on") {
    for (const int threads : {1, 4}) {
        const with_threads set(threads);
        for (int round = 0; round < 50; ++round) {
            CHECK_THROWS_AS(run(100,
                                [](index_t i) {
                                    if (i == 37) throw ricci::value_error("37");
                                }),
                            ricci::value_error);
            CHECK(each_once(100));
        }
        CHECK_THROWS_AS(run(100, [](index_t) { throw ricci::value_error("all"); }), ricci::value_error);
    }
}

TEST_CASE("several threads use the pool at once, while its size changes") {
    const with_threads set(4);
    std::atomic<int> failures{0};
    std::vector<std::thread> users;
    for (int u = 0; u < 4; ++u)
        users.emplace_back([&failures, u] {
            for (int round = 0; round < 200; ++round) {
                if (!each_once(1 + (round * 7 + u) % 40)) ++failures;
                if (u == 0) ricci::set_num_threads(1 + round % 5);
            }
        });
    for (auto& user : users) user.join();
    CHECK(failures == 0);
}

TEST_CASE("fewer threads than one are refused") {
    CHECK_THROWS_AS(ricci::set_num_threads(0), ricci::value_error);
    CHECK_THROWS_WITH(ricci::set_num_threads(-2), "[set_num_threads] the number of threads must be at least 1, got -2");
}

#if RICCI_TEST_FORK
TEST_CASE("a child of fork starts its own workers") {
    const with_threads set(3);
    CHECK(each_once(100));
    const pid_t child = fork();
    if (child == 0) _exit(each_once(100) && each_once(1000) ? 0 : 1);
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(each_once(100));
}
#endif

TEST_CASE("loops in turn: no chunk begins before the loops before its own have ended") {
    const int before = ricci::num_threads();
    struct counts {
        std::atomic<int> ended{0}, early{0};
        ricci::index_t fails = -1;
    };
    const auto body = [](void* p, ricci::index_t round, ricci::index_t chunk) {
        counts& c = *static_cast<counts*>(p);
        if (c.ended.load() < round * 10 + (chunk < 3 ? 0 : 3)) ++c.early;
        if (round * 10 + chunk == c.fails) throw std::runtime_error("chunk");
        ++c.ended;
    };
    for (const int threads : {1, 4}) {
        ricci::set_num_threads(threads);
        counts c;
        ricci::detail::alternating_loops{body, &c, 3, 7}.run(200);
        CHECK(c.ended == 2000);
        CHECK(c.early == 0);
        for (const ricci::index_t fails : {0, 2, 3, 1234}) {  // the others do not wait for what failed
            counts d;
            d.fails = fails;
            ricci::detail::alternating_loops loops{body, &d, 3, 7};
            CHECK_THROWS_WITH(loops.run(200), "chunk");
            CHECK(d.early == 0);
        }
    }
    ricci::set_num_threads(before);
}
