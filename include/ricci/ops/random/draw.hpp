// Random numbers of any source, shape and batch: what every function that draws is made of.
#pragma once
#include "../../core/randomness.hpp"
#include "../../expr/lift.hpp"

namespace ricci::detail {

/// The mapped axes that a random array gets, the outermost vmap's first: `extent` of `size` members from `first` on; a
/// single one where all share the numbers.
struct random_axes {
    static constexpr int most = 16;
    struct axis {
        index_t extent, first, size;
    };
    int count = 0;
    axis at[most];

    /// The elements that are reserved: members of `n`.
    std::uint64_t reserved(index_t n) const {
        std::uint64_t total = static_cast<std::uint64_t>(n);
        for (int d = 0; d < count; ++d) total *= static_cast<std::uint64_t>(at[d].size);
        return total;
    }
};

/// The part of a reserved range that belongs to a chunk, into a dense array whose leading axes are the mapped ones.
/// Where they are whole, they run on in the stream as they do in memory.
template <random_source Source, class T, int R, class D>
void fill_random(const tensor<T, R, D>& x, const random_axes& axes, index_t n, std::uint64_t seed,
                 std::uint64_t begin) {
    int outer = axes.count;
    index_t run = n;
    while (outer > 0) {
        const auto& a = axes.at[--outer];
        run *= a.extent;
        if (a.extent != a.size) break;
    }
    index_t runs = 1;
    for (int d = 0; d < outer; ++d) runs *= axes.at[d].extent;
    for (index_t i = 0; i < runs; ++i) {
        std::uint64_t member = 0, scale = 1;
        index_t rest = i;
        for (int d = axes.count - 1; d >= 0; --d) {
            const auto& a = axes.at[d];
            index_t k = a.first;
            if (d < outer) {
                k += rest % a.extent;
                rest /= a.extent;
            }
            member += static_cast<std::uint64_t>(k) * scale;
            scale *= static_cast<std::uint64_t>(a.size);
        }
        executor<D>::template random<Source>(tensor<T, 1, D>(x.memory(), x.data() + i * run, {run}, {1}), seed,
                                             begin + member * static_cast<std::uint64_t>(n));
    }
}

/// The vmap in progress that an array's outermost wrapper belongs to; of several of one function, the next one outside
/// `inside`.
inline const mapped_frame* frame_of(const void* identity, const mapped_frame* inside) {
    const mapped_frame* f = inside ? inside->outer() : mapped_frame::innermost();
    while (f && f->identity != identity) f = f->outer();
    return f;
}

/// A random array whose shape one member of the batch sees, with the batches of what it is drawn for (a list of
/// wrappers) and none of its derivatives.
template <random_source Source, class T, int R, class D>
class random_draw {
   public:
    /// `from` begins the complaint that no batch is known: "the example is not".
    random_draw(const shape<R>& extents, generator& g, const char* who, const char* from)
        : extents_(extents), generator_(g), who_(who), from_(from) {}

    template <class... W>
    auto operator()(type_list<W...> wrappers) {
        return inside<0>(wrappers);
    }

   private:
    template <int Depth, class W, class... Rest>
    auto inside(type_list<W, Rest...>) {
        if constexpr (W::differentiates) {
            return inside<Depth>(type_list<Rest...>{});
        } else {
            const mapped_frame* f = frame_of(&wrapper_identity<W>, nullptr);
            for (int i = 0; i < Depth && f; ++i)
                if (f == frames_[i]) {
                    f = frame_of(&wrapper_identity<W>, f);
                    i = -1;
                }
            if (!f || f->mode == randomness::error || Depth == random_axes::most) refuse(nullptr);
            frames_[Depth] = f;
            return W::rewrapped(inside<Depth + 1>(type_list<Rest...>{}), f->level);
        }
    }
    template <int Depth>
    tensor<T, R + Depth, D> inside(type_list<>) {
        int different = 0;
        for (const mapped_frame* f = mapped_frame::innermost(); f; f = f->outer()) {
            if (f->mode == randomness::error) refuse(f);
            different += f->mode == randomness::different;
        }
        random_axes axes;
        shape<R + Depth> extents;
        for (int d = 0; d < Depth; ++d) {  // the innermost vmap is the outermost wrapper
            const mapped_frame* f = frames_[Depth - 1 - d];
            const bool own = f->mode == randomness::different;
            different -= own;
            axes.at[axes.count++] = own ? random_axes::axis{f->count, f->first, f->size} : random_axes::axis{1, 0, 1};
            extents[d] = axes.at[d].extent;
        }
        for (int d = 0; d < R; ++d) extents[Depth + d] = extents_[d];
        if (different) {
            const mapped_frame* f = mapped_frame::innermost();
            while (f->mode != randomness::different) f = f->outer();
            refuse(f);
        }
        auto x = tensor<T, R + Depth, D>::uninitialized(extents);
        const index_t n = extents_.count();
        const std::uint64_t begin = mapped_frame::reserve(generator_, axes.reserved(n));
        fill_random<Source>(x, axes, n, generator_.seed(), begin);
        return x;
    }
    [[noreturn]] void refuse(const mapped_frame* f) const {
        if (f && f->mode == randomness::different)
            raise<value_error>(
                {"[", who_, "] ", from_,
                 " mapped by every vmap in progress with "
                 "randomness::different, whose members would get the same numbers: give it one that is"});
        raise<value_error>({"[", who_,
                            "] random numbers inside vmap: give vmap the option {.randomness = "
                            "randomness::different} or {.randomness = randomness::same}"});
    }

    shape<R> extents_;
    generator& generator_;
    const char *who_, *from_;
    const mapped_frame* frames_[random_axes::most] = {};
};

}  // namespace ricci::detail
