// The loop over a batch that stands in for an op's batching rule, and what is said about it.
#pragma once
#include <atomic>
#include <cstdio>
#include <vector>

#include "../expr/index.hpp"
#include "../ops/join.hpp"

namespace ricci {

/// What vmap does when an op has no batching rule, so that it must be called once for each member of the batch: nothing,
/// a note on standard error (once for each such op), or a value_error.
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
            [&](const auto&... x) { return call1(op, x...); });
    };
    using Y = decltype(member(0));
    if (size == 0) return make_pack(constant_array<decltype(stack_list(std::vector<Y>{}, 0, ""))>({}, 0));
    std::vector<Y> results;
    results.reserve(static_cast<std::size_t>(size));
    for (index_t m = 0; m < size; ++m) {
        results.push_back(member(m));
        if (!(results[static_cast<std::size_t>(m)].shape() == results[0].shape()))
            raise<shape_error>({"[vmap] ", Op::name, " gave shape ", results.back().shape(), " for member ", m, " and ",
                                results[0].shape(), " for the first"});
    }
    return make_pack(stack_list(results, 0, "vmap"));
}

}  // namespace detail

/// What vmap does, on this thread, about ops without a batching rule; a note at first. Gives the setting before.
inline vmap_fallback set_vmap_fallback(vmap_fallback setting) {
    return std::exchange(detail::fallback_setting(), setting);
}

}  // namespace ricci
