// Mapping a batch piece by piece: results written where they belong as they come.
#pragma once
#include <limits>

#include "../core/randomness.hpp"
#include "../expr/structure.hpp"
#include "../ops/join.hpp"

namespace ricci {

/// How vmap, and the Jacobians that are vmaps, go about it: vmap(f, in_axes(0), {.chunk_size = 64}).
struct vmap_options {
    static constexpr index_t whole = std::numeric_limits<index_t>::max();
    /// At most so many members of the batch are computed at once: less memory, the same result.
    index_t chunk_size = whole;
    /// What random numbers drawn inside mean (ops/random_like.hpp); to Jacobians nothing, whose directions share all.
    ricci::randomness randomness = ricci::randomness::error;
};

namespace detail {

/// The results of the chunks as one array: plain ones are copied into place at once and kept no longer, those under an
/// outer transform are joined by concat when all are there.
template <class Y>
class joined_chunks {
    static constexpr bool plain = std::is_void_v<typename Y::wrapper>;

   public:
    void add(const Y& part, int axis, index_t first, index_t size) {
        axis_ = axis;
        if constexpr (plain) {
            auto extents = part.shape();
            if (first == 0) {
                extents[axis] = size;
                whole_ = decltype(whole_)::uninitialized(extents);
            }
            auto spec = identity_view(part.shape());
            spec.start[axis] = first;
            executor<typename Y::device_type>::copy(part, apply_view(spec, whole_));
        } else {
            parts_.push_back(part);
        }
    }
    Y take() const {
        if constexpr (plain) return Y(whole_.memory(), whole_.data(), whole_.shape(), whole_.strides());
        else return lift(chain_of_t<Y>{}, concat_list(parts_, axis_, "vmap"));
    }

   private:
    struct none_whole {};
    template <class X>
    struct plain_of {
        using type = none_whole;
    };
    template <class T, int R, class D>
    struct plain_of<tensor<T, R, D>> {
        using type = tensor<std::remove_const_t<T>, R, D>;
    };
    int axis_ = 0;
    [[no_unique_address]] typename plain_of<Y>::type whole_{};
    std::vector<Y> parts_;
};

template <class A>
class joined_chunks<list_of_arrays<A>> {
   public:
    void add(const list_of_arrays<A>& parts, int axis, index_t first, index_t size) {
        joined_.items.resize(parts.items.size());
        joined_.keys = parts.keys;
        for (std::size_t i = 0; i < parts.items.size(); ++i) joined_.items[i].add(parts.items[i], axis, first, size);
    }
    list_of_arrays<A> take() const {
        return each_array([](const auto& joined) { return joined.take(); }, joined_);
    }

   private:
    list_of_arrays<joined_chunks<A>> joined_;
};

/// A result that is the same for all members, and so for all chunks.
template <class Y>
class shared_chunks {
   public:
    void add(const Y& part, int, index_t first, index_t) {
        if (first == 0) result_ = part;
    }
    Y take() const { return result_; }

   private:
    Y result_{};
};

/// The axis of each array in results of type Y, from one axis for all of them or one for each member; 0 for none.
template <class Y, class... Axis>
auto result_axes(const std::tuple<Axis...>& out) {
    static_assert(sizeof...(Axis) == 1 || !expression<Y>,
                  "ricci: out_axes names more axes than the function has results");
    static_assert(sizeof...(Axis) == 1 || sizeof...(Axis) == structure<Y>::parts,
                  "ricci: out_axes needs one axis for each result, or one for all");
    const auto number = [](auto axis) {
        if constexpr (std::is_same_v<decltype(axis), none_t>) return 0;
        else return static_cast<int>(axis);
    };
    const auto given = std::apply([&](auto... axis) { return std::array{number(axis)...}; }, out);
    std::array<int, structure<Y>::count> axes{};
    if constexpr (sizeof...(Axis) == 1) {
        axes.fill(given[0]);
    } else {
        for (int m = 0; m < structure<Y>::parts; ++m)
            for (int k = structure<Y>::before(m); k < structure<Y>::before(m + 1); ++k) axes[k] = given[m];
    }
    return axes;
}

/// Which arrays in results of type Y have no mapped axis.
template <class Y, class Out>
consteval auto shared_results() {
    std::array<bool, structure<Y>::count> shared{};
    const auto given = []<class... Axis>(std::type_identity<std::tuple<Axis...>>) {
        return std::array{std::is_same_v<Axis, none_t>...};
    }(std::type_identity<Out>{});
    if constexpr (given.size() == 1 || given.size() != structure<Y>::parts) {  // one for all, or an error
        shared.fill(given[0]);
    } else {
        for (int m = 0; m < structure<Y>::parts; ++m)
            for (int k = structure<Y>::before(m); k < structure<Y>::before(m + 1); ++k) shared[k] = given[m];
    }
    return shared;
}

/// No options, known at compile time: nothing of what follows is compiled.
struct no_options {
    static constexpr ricci::randomness randomness = ricci::randomness::error;
};

/// `part(first, count)`, an array or a structure of them whose mapped axes are at `out`, for a batch of `size` members.
template <class Out, class Part>
auto in_chunks(no_options, index_t size, const Out&, const Part& part) {
    return part(index_t(0), size);
}
template <class Out, class Part>
auto in_chunks(const vmap_options& options, index_t size, const Out& out, const Part& part) {
    const index_t most = options.chunk_size;
    if (most < 1) detail::raise<value_error>({"[vmap] chunk_size must be at least 1: ", most});
    if (size <= most) return part(index_t(0), size);
    using Y = std::remove_cvref_t<decltype(part(size, size))>;
    using results = decltype(structure<Y>::arrays(std::declval<const Y&>()));
    const auto axes = result_axes<Y>(out);
    constexpr bool any_shared = [] {
        bool any = false;
        for (const bool one : shared_results<Y, Out>()) any |= one;
        return any;
    }();
    if (any_shared && most == 1)
        raise<value_error>(
            {"[vmap] a result that out_axes(none) shares cannot be told from others in chunks of one member"});
    auto joined = generate<results::size>([](auto k) {
        using R = pack_element_t<k(), results>;
        return std::conditional_t<shared_results<Y, Out>()[k()], shared_chunks<R>, joined_chunks<R>>();
    });
    for (index_t first = 0; first < size; first += most) {
        const index_t count = size - first < most ? size - first : most;
        const auto arrays = structure<Y>::arrays(part(first, count));
        for_indices<results::size>([&](auto k) {
            using R = array_in_t<pack_element_t<k(), results>>;
            if constexpr (shared_results<Y, Out>()[k()]) get<k()>(joined).add(get<k()>(arrays), 0, first, size);
            else get<k()>(joined).add(get<k()>(arrays), normalize_axis(axes[k()], R::rank, "vmap"), first, size);
        });
    }
    return structure<Y>::template at<0>(generate<results::size>([&](auto k) { return get<k()>(joined).take(); }));
}

}  // namespace detail
}  // namespace ricci
