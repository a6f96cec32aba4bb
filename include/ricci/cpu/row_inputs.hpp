// The inputs of a sweep in the registers of a row.
#pragma once
#include <bit>

#include "output_block.hpp"
#include "repeats.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Of a sweep whose tree has repeated subtrees: which inputs are those of another one, if all of them are.
template <class Sweep>
struct shared_inputs {
    static constexpr bool any = repeats_v<typename Sweep::tree_type>.any();
    template <int K>
    static constexpr int source() {
        constexpr component x = Sweep::in.at[K];
        if (x.variable == Sweep::slots) return K;
        const int first = Sweep::in.find(repeats_v<typename Sweep::tree_type>.slot[std::size_t(x.variable)], x.powers);
        return first < 0 ? K : first;
    }
    static RICCI_INLINE bool fit(const span_args& a) {
        bool same = true;
        for_indices<Sweep::inputs>([&](auto k) {
            constexpr int first = source<k()>();
            if constexpr (first != k())
                same = same && are_same<sizeof(typename Sweep::template input_type<k()>)>(a, first, k());
        });
        return same;
    }

   private:
    /// What stays put along a row has copies of its own, one for each row that has another.
    template <std::size_t Item>
    static bool are_same(const span_args& a, int i, int j) {
        const index_t apart = a.row_bytes ? a.row_bytes[i] : 0;
        if (a.in_mask[i] != a.in_mask[j] || (a.row_bytes && a.row_bytes[j] != apart)) return false;
        if (a.in[i] == a.in[j]) return true;
        bool same = a.in_mask[i] == 0;
        for (int row = 0; same && row < (apart == 0 ? 1 : a.rows); ++row)
            same = std::memcmp(a.in[i] + row * apart, a.in[j] + row * apart, Item) == 0;
        return same;
    }
};

template <class Sweep, bool Share, int K>
constexpr int shared_source() {
    if constexpr (Share) return shared_inputs<Sweep>::template source<K>();
    else return K;
}
/// Whether an input of integers is rounded to bfloat16 as it stands.
template <class Sweep, int K>
constexpr bool is_halved = is_converted_integer<typename Sweep::template input_type<K>> &&
                           becomes_bfloat16<typename Sweep::tree_type, Sweep::in.at[K].variable>;
/// Where outputs merge as all, inputs of one leaf are loaded once; so are shared ones where they `Share`.
template <class Sweep, class T, merging Merge = merging::none, bool Share = false>
struct simd_inputs {
    static constexpr bool shares = Share;
    const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t mask[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t i = 0;

    RICCI_INLINE explicit simd_inputs(const span_args& a)
        : simd_inputs(a, std::make_integer_sequence<int, Sweep::inputs>{}) {}
    template <int... K>
    RICCI_INLINE simd_inputs(const span_args& a, std::integer_sequence<int, K...>)
        : at{a.in[K]...}, mask{a.in_mask[K]...} {}
    template <int K>
    RICCI_INLINE auto get() const {
        using U = typename Sweep::template input_type<K>;
        using lane = typename simd_domain<T>::template lane<U>;
        constexpr int k = source<K>();
        return load_lanes<lane, is_halved<Sweep, K>>(reinterpret_cast<const U*>(at[k]) + (i & mask[k]));
    }
    RICCI_INLINE void next_row(const index_t* bytes) {
        for_indices<Sweep::inputs>([&](auto k) { at[k()] += bytes[k()]; });
        i = 0;
    }
    /// n elements on, i staying as it is.
    RICCI_INLINE void move(index_t n) {
        for_indices<Sweep::inputs>(
            [&](auto k) { at[k()] += (n & mask[k()]) * index_t(sizeof(typename Sweep::template input_type<k()>)); });
    }

   private:
    template <int K>
    static constexpr int source() {
        constexpr int own = shared_source<Sweep, Share, K>();
        constexpr int k = Sweep::template twin<own>();
        using U = typename Sweep::template input_type<own>;
        constexpr bool same = std::is_same_v<typename Sweep::template input_type<k>, U>;
        return Merge == merging::all && same ? k : own;
    }
};

/// Inputs that are all dense.
template <class Sweep, class T, bool Share = false>
struct dense_registers {
    const std::byte* const* at;
    index_t i;
    template <int K>
    RICCI_INLINE auto get() const {
        using U = typename Sweep::template input_type<K>;
        constexpr int k = shared_source<Sweep, Share, K>();
        using lane = typename simd_domain<T>::template lane<U>;
        return load_lanes<lane, is_halved<Sweep, K>>(reinterpret_cast<const U*>(at[k]) + i);
    }
};

/// The inputs of a forward sweep that something is divided by, as bits; 0 where a division is as good as anything.
template <class Sweep, class T>
constexpr std::uint64_t divisor_inputs() {
    std::uint64_t inputs = 0;
    if constexpr (!Sweep::reverse && Sweep::order == 0 && divides_by_reciprocals<T>)
        for (int i = 0; i < Sweep::inputs && i < 64; ++i)
            if (divisor_slots_v<typename Sweep::tree_type> >> Sweep::in.at[i].variable & 1)
                inputs |= std::uint64_t(1) << i;
    return inputs;
}
/// Where divisors are the same along a row: what is known of them is found once for each row.
template <class Sweep, class T>
struct dividing_inputs : simd_inputs<Sweep, T> {
    using base = simd_inputs<Sweep, T>;
    static constexpr std::uint64_t divisors = divisor_inputs<Sweep, T>();
    simd_divisor<T> known[std::popcount(divisors)];

    RICCI_INLINE explicit dividing_inputs(const span_args& a) : base(a) { prepare(); }
    RICCI_INLINE static bool fit(const span_args& a) {
        bool still = true;
        for_indices<Sweep::inputs>([&](auto k) { still = still && (!is_divisor<k()> || a.in_mask[k()] == 0); });
        return still;
    }
    template <int K>
        requires((divisors >> K & 1) != 0)
    RICCI_INLINE const simd_divisor<T>& divisor() const {
        return known[place<K>];
    }
    RICCI_INLINE void prepare() {
        for_indices<Sweep::inputs>([&](auto k) {
            if constexpr (is_divisor<k()>) known[place<k()>] = simd_divisor<T>(base::template get<k()>());
        });
    }
    RICCI_INLINE void next_row(const index_t* bytes) {
        base::next_row(bytes);
        prepare();
    }

   private:
    template <int K>
    static constexpr bool is_divisor = (divisors >> (K < 64 ? K : 0) & 1) != 0;
    template <int K>
    static constexpr int place = std::popcount(divisors & ((std::uint64_t(1) << K) - 1));
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
