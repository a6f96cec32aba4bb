// Which vertices lead from outputs to the inputs that autograd::grad asks for: a pass leaves the others alone, as
// PyTorch's does.
#pragma once
#include "graph.hpp"

namespace ricci::detail {

/// Marks, for one backward pass, the vertices whose cotangents are asked for and those that lead to them. What the pass
/// makes itself, replaying maps, was not seen and is gone through.
class ways {
   public:
    explicit ways(backward_pass& pass) : way_(pass.way = new_way()) {}

    /// Asks for the cotangents of a vertex; before `find_from`.
    void ask_for(vertex& v) {
        v.mark(way_, vertex::asked);
        oldest_ = std::min(oldest_, v.age());
    }
    /// Marks what leads to them among all that an output was computed from.
    void find_from(vertex& output);

   private:
    static std::uint64_t new_way() {
        static constinit std::atomic<std::uint64_t> last{0};
        return last.fetch_add(1, std::memory_order_relaxed) + 1;
    }
    void open(waiting_list& path, vertex& v) const;

    std::uint64_t way_;
    std::uint64_t oldest_ = ~std::uint64_t(0);  // of those asked for: what is older leads to none of them
};

#if RICCI_ENGINE_BODIES
/// One that another pass has freed may have led there: it is for `pull` to refuse.
RICCI_ENGINE void ways::open(waiting_list& path, vertex& v) const {
    v.mark(way_, v.is_freed() && v.age() > oldest_ ? vertex::seen | vertex::leads : vertex::seen);
    path.push_back({0, &v});
}
/// Depth first; an entry's `age` counts the inputs that are done.
RICCI_ENGINE void ways::find_from(vertex& output) {
    waiting_list path;
    if (!output.has_mark(way_, vertex::seen)) open(path, output);
    while (!path.empty()) {
        waiting_vertex& entry = path.back();
        vertex* const input = entry.v->input(entry.age);
        if (!input) {
            path.pop_back();
        } else if (input->age() >= oldest_ && !input->has_mark(way_, vertex::seen)) {
            open(path, *input);
        } else {
            input->mark(way_, vertex::seen);
            if (input->has_mark(way_, vertex::asked | vertex::leads)) entry.v->mark(way_, vertex::leads);
            ++entry.age;
        }
    }
}
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci::detail
