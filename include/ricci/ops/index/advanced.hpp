// x(rows, all): index arrays among the indices. NumPy's rules for what is selected and for the order of the result's
// axes.
#pragma once
#include "selection.hpp"

namespace ricci {
namespace detail {

/// What an index stands for among the axes of x.
struct index_use {
    int used, given;  // axes of x, axes of the view that the other indices give
    bool is_array, is_dots;
    bool keeps_apart;  // index arrays on both sides of it are apart
};
template <class I>
constexpr index_use use_of() {
    if constexpr (!is_index_array<I>) {
        return {axes_used<I>, std::is_same_v<I, ellipsis_t> ? 0 : axes_given<I>, false, std::is_same_v<I, ellipsis_t>,
                !is_integer_index<I>};
    } else if constexpr (std::is_same_v<typename I::value_type, bool>) {
        return {I::rank, I::rank > 0 ? I::rank : 1, true, false, false};
    } else {
        return {1, 1, true, false, false};
    }
}

/// Where index arrays are: computed from the indices' types.
template <int R, class... I>
struct index_layout {
    static constexpr int count = sizeof...(I);
    static constexpr int used = (0 + ... + use_of<I>().used);
    static constexpr int rest = R - used;  // whole axes, at the ellipsis or the end
    static constexpr int view_rank = rest + (0 + ... + use_of<I>().given);
    static constexpr int arrays = (0 + ... + (use_of<I>().is_array ? use_of<I>().given : 0));

    int view_axis[arrays > 0 ? arrays : 1] = {};  // that each array runs along, in the view
    int axis[arrays > 0 ? arrays : 1] = {};       // and in x
    int at = 0;                                   // where the arrays' own axes are among the result's

    constexpr index_layout() {
        constexpr index_use use[] = {use_of<I>()...};
        int x = 0, view = 0, key = 0, before = 0;
        int first = -1;
        bool apart = false, adjacent = true;
        for (int i = 0; i < count; ++i) {
            const bool advanced = use[i].is_array || (!use[i].keeps_apart);
            if (advanced && first < 0) {
                first = i;
                before = view;
            }
            if (advanced && apart) adjacent = false;
            if (first >= 0 && use[i].keeps_apart) apart = true;
            if (use[i].is_array)
                for (int n = 0; n < use[i].given; ++n) {
                    view_axis[key] = view + n;
                    axis[key++] = x + n;
                }
            x += use[i].is_dots ? rest : use[i].used;
            view += use[i].is_dots ? rest : use[i].given;
        }
        at = adjacent ? before : 0;
    }
    /// Whether all axes of x are there, those that arrays run along side by side and where their own axes belong.
    constexpr bool is_whole() const {
        bool whole = (is_whole_index<I> && ...);
        for (int k = 0; k < arrays; ++k) whole = whole && view_axis[k] == at + k;
        return whole;
    }

   private:
    template <class J>
    static constexpr bool is_whole_index = is_index_array<J> ? use_of<J>().used > 0
                                                             : std::is_same_v<J, all_t> || use_of<J>().is_dots;
};

/// An index without its arrays.
template <class I>
auto without_array(const I& i) {
    if constexpr (!is_index_array<I>) return i;
    else if constexpr (use_of<I>().used == 0) return newaxis;
    else return whole_axes<use_of<I>().used>{};
}
/// The arrays of an index: those of a mask say where it is true.
template <class D, class I>
RICCI_INLINE auto arrays_of(const I& i) {
    if constexpr (!is_index_array<I>) return pack<>{};
    else if constexpr (std::is_same_v<typename I::value_type, bool>) return mask_positions(placed<D>(i), "index");
    else return make_pack(placed<D>(i));
}
template <class A>
inline constexpr bool is_plain = std::is_void_v<typename A::wrapper>;
/// A single mask for all axes, of a tensor.
template <class A, class... I>
inline constexpr bool is_whole_mask = false;
template <class A, class I>
    requires(is_index_array<I>)
inline constexpr bool is_whole_mask<A, I> =
    std::is_same_v<typename I::value_type, bool> && I::rank > 0 &&
    A::rank == I::rank&& is_plain<A>&& is_plain<std::remove_cvref_t<decltype(evaluate(std::declval<const I&>()))>>;

/// What a selection of an expression E selects from: of what is no array yet, `auto y = a * b`, only to be read.
template <class E, class A>
const A& selected_of(const A& a) {
    return a;
}
template <class E, class T, int R, class D>
    requires(!E::is_array)
tensor<const T, R, D> selected_of(const tensor<T, R, D>& a) {
    return a;
}

/// A mask as a selection holds it: a map of plain tensors as it is, where the device can compute it as it selects.
template <class D, class I>
RICCI_INLINE auto held_mask(const I& i) {
    if constexpr (!I::is_array && !deferred<I> && std::is_same_v<typename I::device_type, D>) {
        if constexpr (executor<D>::selects_by_maps && all_plain<I>()) return i;
        else return placed<D>(i);
    } else {
        return placed<D>(i);
    }
}

/// Throws index_error unless a mask has the extents of the axes that it indexes, from `first` on.
template <int R, class I>
void check_mask(const shape<R>& extents, int first, const I& i) {
    if constexpr (is_index_array<I>)
        if constexpr (std::is_same_v<typename I::value_type, bool>)
            for (int d = 0; d < I::rank; ++d)
                if (i.shape()[d] != extents[first + d])
                    raise<index_error>({"[index] a mask of shape ", i.shape(), " does not fit an array of shape ",
                                        extents, ": axis ", first + d, " has size ", extents[first + d], ", the mask ",
                                        i.shape()[d]});
}

/// `a` with the axes that arrays run along moved together, to where the arrays' own axes belong.
template <class Layout, class A>
auto arrays_together(const A& a, const Layout& layout) {
    auto spec = identity_view(a.shape());
    bool taken[A::rank + 1] = {}, moved = false;
    for (int k = 0; k < Layout::arrays; ++k) taken[layout.view_axis[k]] = true;
    int next = 0;
    for (int d = 0; d < A::rank; ++d) {
        const int k = d - layout.at;
        if (k >= 0 && k < Layout::arrays) {
            spec.source[d] = layout.view_axis[k];
        } else {
            while (taken[next]) ++next;
            spec.source[d] = next++;
        }
        spec.extents[d] = a.shape()[spec.source[d]];
        moved = moved || spec.source[d] != d;
    }
    if constexpr (std::is_same_v<A, decltype(view_of(a, spec))>)
        if (!moved) return a;
    return view_of(a, spec);
}

/// An index array under the common shape of all. A view.
template <int Q, class I>
RICCI_INLINE auto expanded_index(const I& i, const shape<Q>& extents) {
    if constexpr (std::is_same_v<I, decltype(expanded(i, extents))>)  // a view of recorded integers is not recorded
        if (i.shape() == extents) return i;
    return expanded(i, extents);
}

/// What index arrays, of ranks up to Q, select from `a`, along the axes from `at` on whose numbers the user knows as
/// `axis`.
template <class A, class... I>
RICCI_INLINE auto select_from(const A& a, int at, const int* axis, const I&... index) {
    const auto extents = common_extents(index...);
    index_spec<A::rank, sizeof...(I), decltype(common_extents(index...))::rank, 0> spec{at, {}};
    for (int k = 0; k < spec.arrays; ++k) spec.axis[k] = axis[k];
    return make_selection(spec, a, expanded_index(index, extents)...);
}

/// a(i...), where `arrays` are the arrays among the indices.
template <class A, class Arrays, class... I>
RICCI_INLINE auto select_arrays(const A& a, const Arrays& arrays, const I&... i) {
    using layout_type = index_layout<A::rank, I...>;
    constexpr layout_type layout;
    const auto select = [&](const auto& source) RICCI_INLINE_LAMBDA {
        return unpack([&](const auto&... array)
                          RICCI_INLINE_LAMBDA { return select_from(source, layout.at, layout.axis, array...); },
                      arrays);
    };
    if constexpr (layout.is_whole()) return select(a);
    else
        return select(
            arrays_together(view_of(a, index_view<layout_type::view_rank>(a.shape(), without_array(i)...)), layout));
}

/// e(i...) of a map, of plain tensors: what is left of it is computed when that is less than half of the map, else the
/// map first.
template <class E, class Arrays, class... I>
auto select_from_map(const E& e, const Arrays& arrays, const I&... i) {
    using layout_type = index_layout<E::rank, I...>;
    constexpr layout_type layout;
    index_t indexed = 1;
    for (int k = 0; k < layout_type::arrays; ++k) indexed *= e.shape()[layout.axis[k]];
    const index_t selected = unpack([](const auto&... array) { return common_extents(array...).count(); }, arrays);
    if (2 * selected > indexed) return select_arrays(evaluate(e), arrays, i...).fetch();
    const auto leaves = leaves_of(e);
    const auto parts = unpack(
        [&](const auto*... a) { return make_pack(select_arrays(expanded(*a, e.shape()), arrays, i...).fetch()...); },
        leaves);
    const auto extents = get<0>(parts).shape();
    constexpr int rank = std::remove_cvref_t<decltype(extents)>::rank;
    const auto op = forward_op<rank, false, rank, decltype(slot_types(leaves))>(make_tree(e), extents, extents);
    return unpack([&](const auto&... part) { return call1(op, part...); }, parts);
}
/// A map of plain tensors indexed by plain arrays; a mask of rank 0 indexes no axis of it.
template <class E, class Arrays, class... I>
constexpr bool selects_from_map() {
    if constexpr (E::is_array || deferred<E>) return false;
    else if constexpr (!all_plain<E>() || ((is_index_array<I> && use_of<I>().used == 0) || ...)) return false;
    else
        return []<class... A>(std::type_identity<pack<A...>>) {
            return (is_plain<A> && ...);
        }(std::type_identity<Arrays>{});
}

}  // namespace detail

/// `x(i, ...)` with index arrays: integers of any type and rank, which broadcast together and may count from the end,
/// beside integers, slices, all, ellipsis and newaxis. The arrays' common axes stand where the arrays did, or in front
/// of all others when a slice, an ellipsis or a newaxis stands between arrays (or integers), as in NumPy. Of a plain
/// tensor, what is selected is fetched when it is needed, and can be assigned to (see selection); of anything else it
/// is an array. Of a map no more than what is selected is computed where that is less. The derivative adds up what
/// comes back to the same element. Throws index_error for an index outside of its axis.
template <expression E, class... I>
    requires detail::array_indices<I...>
RICCI_INLINE auto index(const E& x, const I&... i) {
    using layout_type = detail::index_layout<E::rank, I...>;
    static_assert(
        ((detail::is_basic_index<I> || detail::is_index_array<I>) && ...),
        "ricci: index with integers, ricci::slice, ricci::all, ricci::ellipsis, ricci::newaxis and arrays of integers "
        "or truth values");
    static_assert((0 + ... + int(std::is_same_v<I, ellipsis_t>)) <= 1, "ricci: at most one ellipsis in an index");
    static_assert(layout_type::rest >= 0, "ricci: more indices than the array has axes");
    int first = 0;
    (..., (detail::check_mask(x.shape(), first, i),
           first += detail::use_of<I>().is_dots ? layout_type::rest : detail::use_of<I>().used));
    using value = std::remove_cvref_t<decltype(evaluate(x))>;
    if constexpr (detail::is_whole_mask<value, I...>) {
        if constexpr (E::is_array) return mask_selection(x, detail::held_mask<device_t<E>>(i)...);
        else return mask_selection(detail::selected_of<E>(evaluate(x)), detail::held_mask<device_t<E>>(i)...);
    } else {
        const auto arrays = detail::concat_all(detail::arrays_of<device_t<E>>(i)...);
        using arrays_type = std::remove_cvref_t<decltype(arrays)>;
        if constexpr (detail::selects_from_map<E, arrays_type, I...>()) return detail::select_from_map(x, arrays, i...);
        else if constexpr (E::is_array) return detail::select_arrays(x, arrays, i...);
        else return detail::select_arrays(detail::selected_of<E>(evaluate(x)), arrays, i...);
    }
}

}  // namespace ricci
