// The arrays of a std::vector or std::map in an argument of a transform: how many is known at run time, their type at
// compile time.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "../core/error.hpp"

namespace ricci::detail {

/// The keys of a std::map, which go with the lists of its arrays.
struct list_keys {
    bool (*same)(const list_keys&, const list_keys&);  // of two that have this member alike
};
template <class K>
struct keys_of : list_keys {
    std::vector<K> all;
    keys_of() : list_keys{equal} {}
    static bool equal(const list_keys& a, const list_keys& b) {
        return static_cast<const keys_of&>(a).all == static_cast<const keys_of&>(b).all;
    }
};

/// What stands among the arrays of an argument in the place of one, where a std::vector has one in each of its
/// elements, or a std::map.
template <class A>
struct list_of_arrays {
    std::vector<A> items = {};
    std::shared_ptr<const list_keys> keys = nullptr;  // none of a vector's
};
template <class A>
inline constexpr bool is_list_v = false;
template <class A>
inline constexpr bool is_list_v<list_of_arrays<A>> = true;

template <class A>
struct array_in {
    using type = A;
};
template <class A>
struct array_in<list_of_arrays<A>> : array_in<A> {};
/// The type of the arrays in a place, that of one or of those in a list.
template <class A>
using array_in_t = typename array_in<A>::type;

template <class W, class A>
struct wrapped_in {
    using type = typename W::template wrapped<A>;
};
template <class W, class A>
struct wrapped_in<W, list_of_arrays<A>> {
    using type = list_of_arrays<typename wrapped_in<W, A>::type>;
};
/// The type of a place whose arrays bear W.
template <class W, class A>
using wrapped_in_t = typename wrapped_in<W, A>::type;

[[noreturn]] void refuse_lengths(index_t first, index_t other);
#if RICCI_ENGINE_BODIES
RICCI_NOINLINE RICCI_ENGINE void refuse_lengths(index_t first, index_t other) {
    raise<shape_error>({"a std::vector of ", first, " meets one of ", other, " in a structure that should be like it"});
}
#endif
inline void check_keys(const list_keys* first, const list_keys* other) {
    if (first != other && !(first && other && first->same == other->same && first->same(*first, *other)))
        raise<value_error>(
            {"a std::map meets one of other keys, or a std::vector, in a structure that should be like it"});
}
/// The keys of a list that becomes a std::map.
template <class K>
const std::vector<K>& keys_in(const list_keys* keys) {
    if (!keys || keys->same != keys_of<K>::equal)
        raise<value_error>({"something without the keys of a std::map came where there should be one"});
    return static_cast<const keys_of<K>*>(keys)->all;
}

/// f(a, b...) of the arrays in places of one kind; of lists the list of the results, or nothing where f returns
/// nothing.
template <class F, class A, class... B>
auto each_array(const F& f, const A& a, const B&... b) {
    if constexpr (is_list_v<A>) {
        static_assert((is_list_v<B> && ...),
                      "ricci: where one structure has a std::vector or std::map, another has none");
        const std::size_t count = a.items.size();
        for (const std::size_t other : {count, b.items.size()...})
            if (other != count) refuse_lengths(index_t(count), index_t(other));
        (check_keys(a.keys.get(), b.keys.get()), ...);
        const auto at = [&](std::size_t i) { return each_array(f, a.items[i], b.items[i]...); };
        if constexpr (std::is_void_v<decltype(at(0))>) {
            for (std::size_t i = 0; i < count; ++i) at(i);
        } else {
            list_of_arrays<decltype(at(0))> made{.keys = a.keys};
            made.items.reserve(count);
            for (std::size_t i = 0; i < count; ++i) made.items.push_back(at(i));
            return made;
        }
    } else {
        static_assert((!is_list_v<B> && ...),
                      "ricci: where one structure has a std::vector or std::map, another has none");
        return f(a, b...);
    }
}

}  // namespace ricci::detail
