// Single elements of recorded arrays: a function that names x(0) many times records one view of it.
#pragma once
#include "../expr/view.hpp"
#include "graph.hpp"

namespace ricci::detail {

/// Whether a view shows one element of an array.
template <class Op>
inline constexpr bool is_element_view_v = false;
template <int In>
inline constexpr bool is_element_view_v<view_op<In, 0>> = In > 0;

/// Which element of an array of those extents a view of one shows.
template <int In>
RICCI_INLINE index_t element_number(const view_spec<In, 0>& spec, const shape<In>& extents) {
    index_t at = 0;
    for (int d = 0; d < In; ++d) at = at * extents[d] + spec.start[d];
    return at;
}

/// The views of single elements that a transform's function recorded last, for as long as it runs. They are held here:
/// one that is found by its number must not be one that another thread is letting go of.
class shared_elements {
   public:
    /// Of what this thread records under the innermost transform.
    shared_elements() : scope_(*transform_scope::innermost()) { scope_.elements = this; }
    shared_elements(const shared_elements&) = delete;
    shared_elements& operator=(const shared_elements&) = delete;
    ~shared_elements() {
        scope_.elements = nullptr;
        if (used_) release_all();
    }
    /// Those of a transform in progress; null in other threads.
    RICCI_INLINE static shared_elements* of(level_t level) {
        const transform_scope* scope = transform_scope::innermost();
        while (scope && scope->level != level) scope = scope->outer;
        return scope ? scope->elements : nullptr;
    }
    /// The view of element `at` of a value; null where there is none.
    RICCI_INLINE vertex* find(const void* value, index_t at) const {
        const unsigned k = place(value, at);
        return holds(k) && entries_[k].value == value && entries_[k].at == at ? entries_[k].view : nullptr;
    }
    RICCI_INLINE void keep(const void* value, index_t at, vertex* view) {
        const unsigned k = place(value, at);
        view->retain();
        vertex* const before = holds(k) ? entries_[k].view : nullptr;
        entries_[k] = {value, at, view};
        used_ |= std::uint64_t(1) << k;
        if (before) before->release();
    }
    /// Lets go of the view of an element that is about to be replaced: it may have a share in its memory.
    RICCI_INLINE void drop(const void* value, index_t at) {
        if (!find(value, at)) return;
        const unsigned k = place(value, at);
        used_ &= ~(std::uint64_t(1) << k);
        entries_[k].view->release();
    }

   private:
    struct entry {
        const void* value;
        index_t at;
        vertex* view;
    };
    static constexpr unsigned places = 64;
    /// Neighbouring elements have neighbouring places.
    static unsigned place(const void* value, index_t at) {
        const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(value));
        return static_cast<unsigned>((address * 0x9E3779B97F4A7C15U >> 32) + static_cast<std::uint64_t>(at)) % places;
    }
    bool holds(unsigned k) const { return used_ >> k & 1; }
    void release_all();

    transform_scope& scope_;
    std::uint64_t used_ = 0;  // the places that hold something
    entry entries_[places];
};

#if RICCI_ENGINE_BODIES
RICCI_NOINLINE RICCI_ENGINE void shared_elements::release_all() {
    for (unsigned k = 0; k < places; ++k)
        if (holds(k)) entries_[k].view->release();
}
#endif

}  // namespace ricci::detail
