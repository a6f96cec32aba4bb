// The loop over a batch that stands in for an op's batching rule, and what is said about it.
#pragma once
#include <atomic>
#include <cstdio>
#include <vector>

#include "../expr/index.hpp"
#include "../ops/join.hpp"

namespace ricci {

/// What vmap does when an op has no batching rule, so that it must be called once for each member of the batch:
/// nothing, a note on standard error (once for each such op), or a value_error.
enum class vmap_fallback { silent, note, error };

namespace detail {

inline vmap_fallback& fallback_setting() {
    static thread_local vmap_fallback setting = vmap_fallback::note;
    return setting;
}
/// `noted` is the op's own: whether it was spoken of before.
RICCI_NOINLINE inline void report_fallback(const char* op, index_t size, std::atomic<bool>& noted) {
    if (size <= 1 || fallback_setting() == vmap_fallback::silent) return;  // one call is no loop
    if (fallback_setting() == vmap_fallback::error)
        raise<value_error>({"[vmap] ", op, " has no batching rule and would be called ", size,
                            " times; set_vmap_fallback(vmap_fallback::note) allows that"});
    if (!noted.exchange(true))
        std::fprintf(stderr,
                     "ricci: [vmap] %s has no batching rule: it is called for each member of the batch (here %lld)\n",
                     op, static_cast<long long>(size));
}

/// op on each member of a batch, the results stacked: arrays of any wrappers, the members of the mapped ones in front.
template <class Mapped, class Op, class... A>
auto call_members(const Op& op, const A&... a) {
    static std::atomic<bool> noted{false};
    const auto refs = make_pack(&a...);
    const index_t size = batch_extent<Mapped>(a...);
    report_fallback(Op::name, size, noted);
    const auto member = [&](index_t m) {
        return transform_indices<sizeof...(A)>(
            [&](auto i) {
                const auto& x = *get<i()>(refs);
                if constexpr (Mapped::at[i()]) return index(x, x.shape()[0] == 1 ? 0 : m);
                else return x;
            },
            [&](const auto&... x) { return call(op, x...); });
    };
    using results = decltype(member(0));
    std::vector<results> members;
    members.reserve(static_cast<std::size_t>(size));
    for (index_t m = 0; m < size; ++m) members.push_back(member(m));
    return generate<results::size>([&](auto k) {
        std::vector<pack_element_t<k(), results>> list;
        list.reserve(members.size());
        for (const results& one : members) {
            list.push_back(get<k()>(one));
            if (!(list.back().shape() == list[0].shape()))
                raise<shape_error>({"[vmap] ", Op::name, " gave shape ", list.back().shape(), " for member ",
                                    index_t(list.size()) - 1, " and ", list[0].shape(), " for the first"});
        }
        using stacked = decltype(stack_list(list, 0, "vmap"));
        return size == 0 ? constant_array<stacked>({}, 0) : stack_list(list, 0, "vmap");
    });
}

}  // namespace detail

/// What vmap does, on this thread, about ops without a batching rule; a note at first. Gives the setting before.
inline vmap_fallback set_vmap_fallback(vmap_fallback setting) {
    return std::exchange(detail::fallback_setting(), setting);
}

}  // namespace ricci
