// Random arrays of another array's shape. Under vmap that is one member's: each gets its own numbers, or all the same.
#pragma once
#include "create.hpp"

namespace ricci {
namespace detail {

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
template <bool Normal, class T, int R, class D>
void fill_random(const tensor<T, R, D>& x, const random_axes& axes, index_t n, std::uint64_t seed, std::uint64_t begin) {
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
        executor<D>::template random<Normal>(tensor<T, 1, D>(x.memory(), x.data() + i * run, {run}, {1}), seed,
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

[[noreturn]] RICCI_NOINLINE inline void refuse_random_like(const char* who, const mapped_frame* f) {
    if (f && f->mode == randomness::different)
        detail::raise<value_error>({"[", who, "] the example is not mapped by every vmap in progress with "
                                    "randomness::different, whose members would get the same numbers: give it one that is"});
    detail::raise<value_error>({"[", who, "] random numbers inside vmap: give vmap the option {.randomness = "
                                "randomness::different} or {.randomness = randomness::same}"});
}

template <bool Normal>
class random_like_call {
   public:
    random_like_call(generator& g, const char* who) : generator_(g), who_(who) {}

    /// A random array with the batches of `x` and none of its derivatives.
    template <class A>
    auto operator()(const A& x) {
        if constexpr (std::is_void_v<typename A::wrapper>) {
            return draw<typename A::value_type, A::rank, typename A::device_type>(x.shape());
        } else if constexpr (A::wrapper::differentiates) {
            return (*this)(x.inner());
        } else {
            const mapped_frame* f = frame_of(&wrapper_identity<typename A::wrapper>, nullptr);
            for (int i = 0; i < used_ && f; ++i)
                if (f == frames_[i]) {
                    f = frame_of(&wrapper_identity<typename A::wrapper>, f);
                    i = -1;
                }
            if (!f || f->mode == randomness::error || used_ == random_axes::most) refuse_random_like(who_, nullptr);
            frames_[used_++] = f;
            const auto inner = (*this)(x.inner());
            return A::wrapper::rewrapped(inner, f->level);
        }
    }

   private:
    template <class T, int R, class D>
    tensor<T, R, D> draw(const shape<R>& like) {
        int different = 0;
        for (const mapped_frame* f = mapped_frame::innermost(); f; f = f->outer()) {
            if (f->mode == randomness::error) refuse_random_like(who_, f);
            different += f->mode == randomness::different;
        }
        random_axes axes;
        auto extents = like;
        index_t n = 1;
        for (int d = 0; d < used_; ++d) {  // the innermost vmap is the outermost wrapper
            const mapped_frame* f = frames_[used_ - 1 - d];
            const bool own = f->mode == randomness::different;
            different -= own;
            axes.at[axes.count++] = own ? random_axes::axis{f->count, f->first, f->size} : random_axes::axis{1, 0, 1};
            extents[d] = axes.at[d].extent;
        }
        if (different) {
            const mapped_frame* f = mapped_frame::innermost();
            while (f->mode != randomness::different) f = f->outer();
            refuse_random_like(who_, f);
        }
        for (int d = used_; d < R; ++d) n *= extents[d];
        auto x = tensor<T, R, D>::uninitialized(extents);
        const std::uint64_t begin = mapped_frame::reserve(generator_, axes.reserved(n));
        fill_random<Normal>(x, axes, n, generator_.seed(), begin);
        return x;
    }

    generator& generator_;
    const char* who_;
    const mapped_frame* frames_[random_axes::most] = {};
    int used_ = 0;
};

template <bool Normal, expression E>
auto random_like(const E& x, generator& g, const char* who) {
    static_assert(std::is_floating_point_v<typename E::value_type>,
                  "ricci: random numbers take the element type of the example, which must be float or double");
    return random_like_call<Normal>(g, who)(evaluate(x));
}

}  // namespace detail

/// Uniform random numbers in [0, 1), of the shape, element type and device of `x`, constants of every derivative.
/// Inside vmap, where `x` is one member, its option `randomness` decides: with `different` each member of the batch
/// gets numbers of its own, those of rand with the batch in front, whatever the chunk size; with `same` all get one
/// draw; otherwise value_error is thrown, as it is when a vmap with `different` does not map `x`.
template <expression E>
auto rand_like(const E& x, generator& g = default_generator()) {
    return detail::random_like<false>(x, g, "rand_like");
}
template <expression E>
auto rand_like(const E& x, generator&& g) {
    return detail::random_like<false>(x, g, "rand_like");
}

/// Standard normal random numbers (mean 0, variance 1), otherwise as rand_like.
template <expression E>
auto randn_like(const E& x, generator& g = default_generator()) {
    return detail::random_like<true>(x, g, "randn_like");
}
template <expression E>
auto randn_like(const E& x, generator&& g) {
    return detail::random_like<true>(x, g, "randn_like");
}

}  // namespace ricci
