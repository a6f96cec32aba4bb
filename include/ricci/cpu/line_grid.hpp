// The lines of a dense array along an axis, and sharing blocks of them among threads.
#pragma once
#include <algorithm>

#include "../core/shape.hpp"
#include "thread_pool.hpp"

namespace ricci::detail {

/// A dense array as outer x n x inner elements, its lines along the middle axis.
struct line_grid {
    index_t outer = 1, n = 1, inner = 1;
    template <int R>
    line_grid(const shape<R>& extents, int axis) : n(extents[axis]) {
        for (int d = 0; d < axis; ++d) outer *= extents[d];
        for (int d = axis + 1; d < R; ++d) inner *= extents[d];
    }
    index_t size() const { return outer * n * inner; }
};
/// body(block) for blocks 0 ... count - 1, each of about `work` steps; on several threads where that pays.
template <class Body>
void for_blocks(index_t count, index_t work, const Body& body) {
    constexpr index_t worth = 1 << 15;
    const index_t together = work >= worth ? 1 : worth / (work > 0 ? work : 1) + 1;
    struct context {
        const Body& body;
        index_t count, together;
    } c{body, count, together};
    const index_t chunks = (count + together - 1) / together;
    const auto run = [](void* p, index_t chunk) {
        const context& k = *static_cast<const context*>(p);
        const index_t first = chunk * k.together, end = std::min(first + k.together, k.count);
        for (index_t i = first; i < end; ++i) k.body(i);
    };
    if (chunks == 1) run(&c, 0);
    else if (chunks > 1) parallel_for(chunks, run, &c);
}

}  // namespace ricci::detail
