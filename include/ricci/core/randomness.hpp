// Random numbers under vmap: what a mapped function may draw, and which numbers each member of the batch gets.
#pragma once
#include <atomic>
#include <utility>
#include <vector>

#include "error.hpp"
#include "philox.hpp"

namespace ricci {

/// What drawing random numbers inside a mapped function does: it is refused; each member of the batch gets numbers of
/// its own; or all get the same.
enum class randomness { error, different, same };

namespace detail {

/// Tells wrappers apart at run time.
template <class W>
inline char wrapper_identity = 0;

/// A chunk of a vmap's batch, as long as the vmap is in progress and after it: what runs of the mapped function's ops
/// are told that map functions of their own over it, in the vmap's place.
struct mapped_part {
    ricci::randomness randomness = ricci::randomness::error;
    std::uint64_t number = 0;  // of the vmap's frame; 0 where none is known
    index_t first = 0, count = 1, size = 1;
};

/// A vmap in progress on this thread. Its batch may come in chunks; the numbers do not depend on how: the first chunk
/// reserves them for the whole batch, and the others find them in the list of what was reserved.
class mapped_frame {
   public:
    mapped_frame(randomness draws, const void* wrapper, std::uint64_t depth, index_t members)
        : mode(draws), identity(wrapper), level(depth), size(members) {}
    /// In the place of another one.
    mapped_frame(const mapped_part& part, const void* wrapper, std::uint64_t depth)
        : mode(part.randomness),
          identity(wrapper),
          level(depth),
          size(part.size),
          number_(part.number ? part.number : next_number()) {}
    mapped_frame(const mapped_frame&) = delete;
    mapped_frame& operator=(const mapped_frame&) = delete;

    randomness mode;
    const void* const identity;  // of the wrapper
    const std::uint64_t level;
    const index_t size;            // of the batch
    index_t first = 0, count = 0;  // the members in this chunk
    const mapped_frame* outer() const { return outer_; }

    static mapped_frame*& innermost() {
        static thread_local mapped_frame* frame = nullptr;
        return frame;
    }
    /// The part of the vmap in progress that values of a wrapper and a level belong to.
    static mapped_part part_of(const void* identity, std::uint64_t level) {
        for (const mapped_frame* f = innermost(); f; f = f->outer_)
            if (f->identity == identity && (f->level == level || level == 0))
                return {f->mode, f->number_, f->first, f->count, f->size};
        return {};
    }
    /// The mapped function is being called for the members first ... first + count - 1.
    class call {
       public:
        call(mapped_frame& frame, index_t first, index_t count) : frame_(frame) {
            frame.first = first;
            frame.count = count;
            frame.next_ = 0;
            frame.outer_ = innermost();
            innermost() = &frame;
            // one that this one stands for has its members here
            for (mapped_frame* f = frame.outer_; f && !represented_; f = f->outer_)
                if (f->number_ == frame.number_) {
                    represented_ = f;
                    mode_ = std::exchange(f->mode, randomness::same);
                }
        }
        call(const call&) = delete;
        call& operator=(const call&) = delete;
        ~call() {
            innermost() = frame_.outer_;
            if (represented_) represented_->mode = mode_;
        }

       private:
        mapped_frame& frame_;
        mapped_frame* represented_ = nullptr;
        randomness mode_ = randomness::error;
    };

    /// Reserves `n` elements of the generator's stream, once for all chunks of every vmap in progress; the index of the
    /// first.
    static std::uint64_t reserve(generator& g, std::uint64_t n) { return reserve_in(innermost(), g, n); }

   private:
    friend class recorded_draws;
    static std::uint64_t reserve_in(mapped_frame* frame, generator& g, std::uint64_t n) {
        if (!frame) return g.advance(n);
        auto& list = frame->reserved_;
        if (frame->next_ == list.size()) list.push_back({g.seed(), reserve_in(frame->outer_, g, n)});
        const reservation& r = list[frame->next_++];
        if (r.seed != g.seed())
            raise<value_error>(
                {"[random] a function that is run again draws by a generator of another seed than before"});
        return r.begin;
    }

    struct reservation {
        std::uint64_t seed, begin;
    };
    static std::uint64_t next_number() {
        static std::atomic<std::uint64_t> last{0};
        return last.fetch_add(1, std::memory_order_relaxed) + 1;
    }

    mapped_frame* outer_ = nullptr;
    const std::uint64_t number_ = next_number();  // frames that began before others have smaller ones
    std::vector<reservation> reserved_;
    std::size_t next_ = 0;
};

/// What a function drew: run again, it draws the same numbers, for all members of the batches that have begun since.
class recorded_draws {
   public:
    /// f(), whose draws are those of the first run.
    template <class F>
    auto run(const F& f) {
        const mapped_frame* const around = mapped_frame::innermost();
        if (!ran_) around_ = around ? around->number_ : 0;
        ran_ = true;
        const shared_since later(around_);
        mapped_frame frame(randomness::same, nullptr, 0, 1);
        frame.reserved_ = list_;
        const mapped_frame::call in_progress(frame, 0, 1);
        auto result = f();
        if (list_.size() < frame.reserved_.size()) list_ = std::move(frame.reserved_);
        return result;
    }

   private:
    /// While it lives, members of batches that began after that frame share what is drawn.
    class shared_since {
       public:
        explicit shared_since(std::uint64_t number) {
            for (mapped_frame* f = mapped_frame::innermost(); f; f = f->outer_)
                before_.push_back(std::exchange(f->mode, f->number_ > number ? randomness::same : f->mode));
        }
        shared_since(const shared_since&) = delete;
        shared_since& operator=(const shared_since&) = delete;
        ~shared_since() {
            mapped_frame* f = mapped_frame::innermost();
            for (const randomness mode : before_) {
                f->mode = mode;
                f = f->outer_;
            }
        }

       private:
        std::vector<randomness> before_;
    };

    bool ran_ = false;
    std::uint64_t around_ = 0;  // the number of the innermost frame around the first run
    std::vector<mapped_frame::reservation> list_;
};

/// Reserves numbers that all members share. Throws value_error inside a vmap that does not want that.
inline std::uint64_t reserve_shared(generator& g, index_t n, const char* who) {
    for (const mapped_frame* f = mapped_frame::innermost(); f; f = f->outer()) {
        if (f->mode == randomness::error)
            detail::raise<value_error>(
                {"[", who,
                 "] random numbers inside vmap: give vmap the option {.randomness = "
                 "randomness::same} for one draw that all members share, or randomness::different and "
                 "draw with ",
                 who, "_like(x) of a mapped x"});
        if (f->mode == randomness::different)
            detail::raise<value_error>({"[", who,
                                        "] inside vmap with randomness::different gives every member the same numbers: "
                                        "draw with ",
                                        who, "_like(x) of a mapped x"});
    }
    return mapped_frame::reserve(g, static_cast<std::uint64_t>(n));
}

}  // namespace detail
}  // namespace ricci
