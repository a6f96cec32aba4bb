// The threads of the CPU backend: one pool for the process, started when first needed, fed with chunks of loops.
#pragma once
#include <atomic>
#include <climits>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/spinlock.hpp"

// <thread> would take a quarter of a second of each translation unit that includes the library.
#if __has_include(<pthread.h>) && __has_include(<unistd.h>)
#include <pthread.h>
#include <unistd.h>
#else
#include <thread>
#endif

RICCI_CONTROL_BEGIN
namespace ricci {
namespace detail {

/// Calls body(context, i) once for each i in [0, chunks), on up to num_threads() threads, the caller's among them, and
/// returns when all are done. A call from within a body runs in its thread. The first exception of a body is thrown on
/// to the caller, once no body runs any more; chunks not begun by then are left out.
void parallel_for(index_t chunks, void (*body)(void* context, index_t chunk), void* context);

/// Two parallel loops in turn, again and again, under one parallel_for: a chunk begins when all chunks of the loops
/// before its own have ended. That costs no sleep and no wake between them. Chunks are begun in order, so that whatever
/// one waits for is under way.
struct alternating_loops {
    void (*body)(void* context, index_t round,
                 index_t chunk);  // chunks of the second loop come behind those of the first
    void* context;
    index_t first, second;  // their chunks
    atomic_word<index_t> ended{0};
    atomic_word<bool> failed{false};

    void run(index_t rounds);

   private:
    void run_chunk(index_t i);
};

/// A library with threads of its own is told whenever their number is set; null: none.
void tell_threads(void (*library)(int));

}  // namespace detail

/// How many threads the CPU backend uses: as many as the process may run on, unless the environment variable
/// RICCI_NUM_THREADS or set_num_threads says otherwise.
int num_threads();

/// Sets how many threads the CPU backend uses, the calling one included; with 1 none is ever started. An OpenBLAS that
/// multiplies or factors for it (RICCI_USE_CBLAS, RICCI_USE_LAPACK) uses as many from then on. Throws
/// value_error unless n >= 1. Results never depend on it, but for what OpenBLAS computes, which may round in another
/// order.
void set_num_threads(int n);

#if RICCI_ENGINE_BODIES
namespace detail {

/// One parallel loop, on its caller's stack. Workers take chunks from `next` until none is left.
struct parallel_job {
    void (*body)(void*, index_t);
    void* context;
    index_t chunks;
    atomic_word<index_t> next{0};
    int workers = 0;             // attached to this job; this and all below guarded by the pool's lock
    std::exception_ptr error{};  // the first one thrown
    parallel_job* link = nullptr;
};

inline constinit thread_local bool inside_parallel = false;

/// The process's pool. It is never destroyed and its threads are detached: whatever static destructors run at exit may
/// still use it. A child of fork starts with no workers and starts its own.
class thread_pool {
   public:
    static thread_pool& instance() {
        static thread_pool& pool = *make();
        return pool;
    }
    int limit() const { return limit_.load(std::memory_order_relaxed); }
    void tell(void (*library)(int)) { told_.store(library, std::memory_order_relaxed); }
    void set_limit(int n) {
        limit_.store(n, std::memory_order_relaxed);
        if (const auto library = told_.load(std::memory_order_relaxed)) library(n);
        wake_workers();  // so that surplus ones leave
    }

    void run(parallel_job& job) {
        {
            spin_guard guard(lock_);
            job.link = jobs_;
            jobs_ = &job;
            const index_t useful = job.chunks < limit() ? job.chunks - 1 : limit() - 1;
            while (workers_ < useful && start_worker()) ++workers_;
        }
        wake_workers();
        work_on(job);
        for (;;) {
            const unsigned seen = finished_.load(std::memory_order_acquire);
            {
                spin_guard guard(lock_);
                unlink(job);
                if (job.workers == 0) break;
            }
            sleep_on(finished_, seen);
        }
        if (job.error) std::rethrow_exception(job.error);
    }

   private:
    spinlock lock_;  // guards jobs_, workers_ and the jobs' lists
    parallel_job* jobs_ = nullptr;
    int workers_ = 0;
    atomic_word<int> limit_{default_limit()};
    atomic_word<void (*)(int)> told_{nullptr};
    std::atomic<unsigned> posted_{0}, finished_{0};  // counters to sleep on

    static thread_pool* make() {
        auto* pool = new thread_pool;
#if __has_include(<pthread.h>) && __has_include(<unistd.h>)
        static constinit thread_pool* forked = nullptr;
        forked = pool;
        pthread_atfork([] { forked->lock_.lock(); }, [] { forked->lock_.unlock(); },
                       [] {
                           forked->jobs_ = nullptr;
                           forked->workers_ = 0;
                           forked->lock_.unlock();
                       });
#endif
        return pool;
    }
    static int default_limit() {
        if (const char* text = std::getenv("RICCI_NUM_THREADS")) {
            const long n = std::strtol(text, nullptr, 10);
            if (n >= 1 && n <= INT_MAX) return static_cast<int>(n);
        }
#if defined(CPU_COUNT)
        cpu_set_t mine;  // what the scheduler grants, which containers and taskset restrict
        if (sched_getaffinity(0, sizeof mine, &mine) == 0) return CPU_COUNT(&mine);
#endif
#if defined(_SC_NPROCESSORS_ONLN)
        const long n = sysconf(_SC_NPROCESSORS_ONLN);
        return n > 1 ? static_cast<int>(n) : 1;
#else
        const unsigned n = std::thread::hardware_concurrency();
        return n > 1 ? static_cast<int>(n) : 1;
#endif
    }

    bool start_worker() {
#if __has_include(<pthread.h>) && __has_include(<unistd.h>)
        pthread_attr_t attributes;
        if (pthread_attr_init(&attributes) != 0) return false;
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_t thread;
        const auto entry = [](void* self) -> void* {
            static_cast<thread_pool*>(self)->worker();
            return nullptr;
        };
        const bool started = pthread_create(&thread, &attributes, entry, this) == 0;
        pthread_attr_destroy(&attributes);
        return started;
#else
        try {
            std::thread(&thread_pool::worker, this).detach();
            return true;
        } catch (...) {
            return false;
        }
#endif
    }
    void wake_workers() {
        posted_.fetch_add(1, std::memory_order_release);
        posted_.notify_all();
    }

    /// Returns when the counter is no longer `seen`. Loops often follow each other closely, and to be woken takes
    /// longer than many a loop: so it watches for some fifty microseconds before it sleeps.
    static void sleep_on(const std::atomic<unsigned>& counter, unsigned seen) {
        for (int spins = 0; spins < 200; spin_once(spins))
            if (counter.load(std::memory_order_acquire) != seen) return;
        counter.wait(seen, std::memory_order_acquire);
    }

    void worker() {
        inside_parallel = true;
        for (;;) {
            const unsigned seen = posted_.load(std::memory_order_acquire);
            parallel_job* job = nullptr;
            {
                spin_guard guard(lock_);
                if (workers_ >= limit()) {
                    --workers_;
                    return;
                }
                for (job = jobs_; job; job = job->link)
                    if (job->next.load(std::memory_order_relaxed) < job->chunks) break;
                if (job) ++job->workers;
            }
            if (!job) {
                sleep_on(posted_, seen);
                continue;
            }
            take_chunks(*job);
            {
                spin_guard guard(lock_);
                --job->workers;
            }
            finished_.fetch_add(
                1, std::memory_order_release);  // the job may be gone by now: the pool's counter, not its own
            finished_.notify_all();
        }
    }
    void work_on(parallel_job& job) {
        inside_parallel = true;
        take_chunks(job);
        inside_parallel = false;
    }
    void take_chunks(parallel_job& job) {
        try {
            for (index_t i; (i = job.next.fetch_add(1, std::memory_order_relaxed)) < job.chunks;)
                job.body(job.context, i);
        } catch (...) {
            job.next.store(job.chunks, std::memory_order_relaxed);
            spin_guard guard(lock_);
            if (!job.error) job.error = std::current_exception();
        }
    }
    void unlink(parallel_job& job) {
        for (parallel_job** at = &jobs_; *at; at = &(*at)->link)
            if (*at == &job) {
                *at = job.link;
                return;
            }
    }
};

RICCI_ENGINE void parallel_for(index_t chunks, void (*body)(void* context, index_t chunk), void* context) {
    if (chunks <= 1 || inside_parallel || thread_pool::instance().limit() == 1) {
        for (index_t i = 0; i < chunks; ++i) body(context, i);
        return;
    }
    parallel_job job{body, context, chunks};
    thread_pool::instance().run(job);
}

RICCI_ENGINE void alternating_loops::run(index_t rounds) {
    parallel_for(
        rounds * (first + second), [](void* self, index_t i) { static_cast<alternating_loops*>(self)->run_chunk(i); },
        this);
}
RICCI_ENGINE void alternating_loops::run_chunk(index_t i) {
    const index_t chunk = i % (first + second), before = i - chunk + (chunk < first ? 0 : first);
    for (int spins = 0; ended.load(std::memory_order_acquire) < before; spin_once(spins))
        if (failed.load(std::memory_order_relaxed)) return;
    try {
        body(context, i / (first + second), chunk);
    } catch (...) {
        failed.store(true, std::memory_order_relaxed);  // or the others would wait for ever
        throw;
    }
    ended.fetch_add(1, std::memory_order_release);
}
RICCI_ENGINE void tell_threads(void (*library)(int)) { thread_pool::instance().tell(library); }

}  // namespace detail

RICCI_ENGINE int num_threads() { return detail::thread_pool::instance().limit(); }
RICCI_ENGINE void set_num_threads(int n) {
    if (n < 1) detail::raise<value_error>({"[set_num_threads] the number of threads must be at least 1, got ", n});
    detail::thread_pool::instance().set_limit(n);
}
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci
RICCI_CONTROL_END
