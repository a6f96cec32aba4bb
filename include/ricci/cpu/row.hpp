// Rows of kernels: the function that evaluates a sweep along one row, on SIMD registers where all its types allow, else
// element by element.
#pragma once
#include <array>

#include "../expr/sweep.hpp"
#include "loop.hpp"
#include "simd.hpp"

namespace ricci {

template <class T>
inline constexpr bool is_kernel_scalar_v<simd<T>> = true;
template <class T>
inline constexpr bool is_kernel_scalar_v<simd_mask<T>> = true;

template <class T>
inline constexpr bool has_own_operators_v<simd<T>> = true;
template <class T>
inline constexpr bool has_own_operators_v<simd_mask<T>> = true;

namespace detail {
inline namespace RICCI_ISA {

/// Lanes of a kernel all of whose values are T or bool.
template <class T>
struct simd_domain {
    template <class U>
    using lane = std::conditional_t<std::is_same_v<U, bool>, simd_mask<T>, simd<T>>;
    template <class To, class From, class S>
    RICCI_INLINE static auto convert(const S& x) {
        if constexpr (std::is_same_v<To, From>) return x;
        else if constexpr (std::is_same_v<From, bool>) return math::select(x, simd<T>(T(1)), simd<T>(T(0)));
        else return x != simd<T>(T(0));
    }
};

}  // namespace RICCI_ISA

/// One element at a time, each in its own type.
struct scalar_domain {
    template <class U>
    using lane = U;
    template <class To, class From, class S>
    RICCI_HD RICCI_INLINE static constexpr To convert(const S& x) {
        return convert_element<To>(x);
    }
};

// ---- can a sweep run on registers? ---------------------------------------------------------------------------------------

struct mixed_lanes;
template <class A, class B>
using unite_lanes = std::conditional_t<std::is_void_v<A> || std::is_same_v<A, B>, B, mixed_lanes>;

template <class A, class T>
constexpr auto add_lane_type() {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<A, mixed_lanes>) return std::type_identity<A>{};
    else return std::type_identity<unite_lanes<A, T>>{};
}
template <class A, class... T>
struct lanes_of_types {
    using type = A;
};
template <class A, class T, class... Rest>
struct lanes_of_types<A, T, Rest...> : lanes_of_types<typename decltype(add_lane_type<A, T>())::type, Rest...> {};

template <class Node>
struct node_types {
    using type = type_list<typename Node::value_type>;
};
template <class... L>
struct join_lists {
    using type = type_list<>;
};
template <class... A>
struct join_lists<type_list<A...>> {
    using type = type_list<A...>;
};
template <class... A, class... B, class... Rest>
struct join_lists<type_list<A...>, type_list<B...>, Rest...> : join_lists<type_list<A..., B...>, Rest...> {};
template <class To, class Child>
struct node_types<cast_node<To, Child>> {
    using type = typename join_lists<type_list<To>, typename node_types<Child>::type>::type;
};
template <class Op, class T, class... Child>
struct node_types<op_node<Op, T, Child...>> {
    static constexpr bool masks_fit = takes_masks_v<Op> || !(std::is_same_v<typename Child::value_type, bool> || ...);
    using type = typename join_lists<std::conditional_t<masks_fit, type_list<T>, type_list<T, mixed_lanes>>,
                                     typename node_types<Child>::type...>::type;
};
template <class List>
struct lane_type;
template <class... T>
struct lane_type<type_list<T...>> {
    using type = typename lanes_of_types<void, T...>::type;
};
/// float or double when every value in the tree is that or bool; otherwise something that simd does not support.
template <class Tree>
using lane_type_t = typename lane_type<typename node_types<Tree>::type>::type;

template <class T>
constexpr bool lanes_supported() {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return simd_supported<T>;
    else return false;
}

// ---- outputs of one step --------------------------------------------------------------------------------------------------

/// How outputs that belong to the same leaf meet: not at all, all of a kind in one register, or by a run-time table.
enum class merging { none, all, table };

/// The outputs that a sweep gives in one step, held in registers; adjoints of merged outputs are added up here.
template <class Sweep, class Domain, merging Merge>
struct step_outputs {
    template <int K>
    using lane = typename Domain::template lane<typename Sweep::template output_type<K>>;

    /// The output in whose register K's values are added up.
    template <int K>
    static constexpr int group() {
        if constexpr (Merge != merging::all || Sweep::out.at[K].variable == Sweep::slots) return K;
        else {
            for (int i = 0; i < K; ++i)
                if (Sweep::out.at[i].variable != Sweep::slots && Sweep::out.at[i].mask == Sweep::out.at[K].mask) return i;
            return K;
        }
    }
    template <class Indices>
    struct members;
    template <int... K>
    struct members<std::integer_sequence<int, K...>> {
        using type = pack<lane<K>...>;
    };
    struct indexed {
        lane<0> at[Sweep::outputs];
    };
    std::conditional_t<Merge == merging::table, indexed,
                       typename members<std::make_integer_sequence<int, Sweep::outputs>>::type>
        values;
    const unsigned char* table;

    RICCI_HD RICCI_INLINE constexpr explicit step_outputs(const unsigned char* merge) : table(merge) {
        clear(std::make_integer_sequence<int, Sweep::outputs>{});
    }
    template <int... K>
    RICCI_HD RICCI_INLINE constexpr void clear(std::integer_sequence<int, K...>) {
        ((at<K>() = lane<K>(zero<typename Sweep::template output_type<K>>())), ...);
    }
    /// -0 is the identity of addition that compilers fold away.
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr T zero() {
        if constexpr (Merge == merging::all && std::is_floating_point_v<T>) return -T(0);
        else return T(0);
    }
    template <int K>
    RICCI_HD RICCI_INLINE constexpr lane<K>& at() {
        if constexpr (Merge == merging::table) return values.at[K];
        else return get<K>(values);
    }
    template <int K, class S>
    RICCI_HD RICCI_INLINE constexpr void set(const S& x) {
        at<K>() = static_cast<lane<K>>(x);
    }
    template <int K, class S>
    RICCI_HD RICCI_INLINE constexpr void add(const S& x) {
        if constexpr (Merge == merging::none) set<K>(x);
        else if constexpr (Merge == merging::all) at<group<K>()>() = at<group<K>()>() + static_cast<lane<K>>(x);
        else values.at[table[K]] = values.at[table[K]] + static_cast<lane<K>>(x);
    }
};

inline namespace RICCI_ISA {

// ---- SIMD rows ------------------------------------------------------------------------------------------------------------

/// A stretch of at least one register; the last register overlaps the one before it where the length is no multiple of the
/// lanes. Inputs that stay put along the row have mask 0 and point to one register's worth of copies.
struct span_args {
    index_t n;
    std::byte* const* in;
    const index_t* in_mask;
    std::byte* const* out;
    const output_mode* mode;
    const unsigned char* merge;
};
/// Runs a span; leaves the sums (maxima, ...) of outputs in mode total in totals, one register each.
using span_function = void (*)(const void* sweep, const span_args& args, std::byte* totals);

template <class Sweep, class T>
struct simd_inputs {
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
        return lane::load(reinterpret_cast<const U*>(at[K]) + (i & mask[K]));
    }
};

/// last_lanes<n> + k: n truths of which the last k hold.
template <int N>
inline constexpr auto last_lanes_table = [] {
    std::array<bool, 2 * N> t{};
    for (int i = N; i < 2 * N; ++i) t[static_cast<std::size_t>(i)] = true;
    return t;
}();
template <int N>
inline constexpr const bool* last_lanes = last_lanes_table<N>.data();

template <class Sweep, class T, merging Merge, class Combine>
struct simd_span {
    using outputs_type = step_outputs<Sweep, simd_domain<T>, Merge>;
    static constexpr int lanes = simd<T>::lanes;

    template <int K>
    RICCI_INLINE static bool is_group(const span_args& a) {
        if constexpr (Merge == merging::table) return a.merge[K] == K;
        else return outputs_type::template group<K>() == K;
    }

    RICCI_FLATTEN static void run(const void* self, const span_args& args, std::byte* totals) {
        const Sweep sweep = *static_cast<const Sweep*>(self);
        simd_inputs<Sweep, T> in(args);
        // copies: a store could change what args point to, for all that the compiler knows
        std::byte* out_at[Sweep::outputs];
        output_mode mode[Sweep::outputs];
        for (int k = 0; k < Sweep::outputs; ++k) {
            out_at[k] = args.out[k];
            mode[k] = args.mode[k];
        }
        const span_args a{args.n, nullptr, nullptr, out_at, mode, args.merge};
        if constexpr (std::is_void_v<Combine>) {
            const index_t last = a.n - lanes;
            for (;;) {
                for (; in.i <= last; in.i += lanes) {
                    outputs_type out(a.merge);
                    sweep.template run<simd_domain<T>>(in, out);
                    store(a, in.i, out, output_indices{});
                }
                if (in.i == a.n) break;
                in.i = last;
            }
        } else {
            run_reducing(sweep, in, a, reinterpret_cast<simd<T>*>(totals));
        }
    }

   private:
    using output_indices = std::make_integer_sequence<int, Sweep::outputs>;
    template <int... K>
    RICCI_INLINE static void store(const span_args& a, index_t i, outputs_type& out, std::integer_sequence<int, K...>) {
        (void(is_group<K>(a) &&
              (out.template at<K>().store(reinterpret_cast<typename Sweep::template output_type<K>*>(a.out[K]) + i), true)),
         ...);
    }
    /// Cheap sums want several accumulators, to hide the latency of the addition.
    static constexpr bool unrolled = Sweep::outputs == 1 && tree_cost_v<typename Sweep::tree_type> <= 4 && Sweep::order == 0;

    RICCI_INLINE static void run_reducing(const Sweep& sweep, simd_inputs<Sweep, T>& in, const span_args& a, simd<T>* totals) {
        simd<T> total[Sweep::outputs];
        for (int k = 0; k < Sweep::outputs; ++k) total[k] = simd<T>(Combine::template identity<T>());
        if constexpr (unrolled)
            if (a.mode[0] == output_mode::total) run_unrolled(sweep, in, a, total[0]);
        simd_mask<T> fresh(true);  // lanes not yet seen: all, until the last register overlaps
        const index_t last = a.n - lanes;
        for (;;) {
            for (; in.i <= last; in.i += lanes) {
                outputs_type out(a.merge);
                sweep.template run<simd_domain<T>>(in, out);
                reduce(a, in.i, out, fresh, total, output_indices{});
            }
            if (in.i == a.n) break;
            fresh = simd_mask<T>::load(last_lanes<lanes> + (a.n - in.i));
            in.i = last;
        }
        for (int k = 0; k < Sweep::outputs; ++k) totals[k] = total[k];
    }
    template <int... K>
    RICCI_INLINE static void reduce(const span_args& a, index_t i, outputs_type& out, const simd_mask<T>& fresh,
                                    simd<T>* total, std::integer_sequence<int, K...>) {
        (void(is_group<K>(a) && (reduce(a.mode[K], reinterpret_cast<T*>(a.out[K]) + i, out.template at<K>(), fresh, total[K]), true)),
         ...);
    }
    RICCI_INLINE static void reduce(output_mode mode, T* out, const simd<T>& v, const simd_mask<T>& fresh, simd<T>& total) {
        if (mode == output_mode::store) return v.store(out);
        const simd<T> x = math::select(fresh, v, simd<T>(Combine::template identity<T>()));
        if (mode == output_mode::total) total = Combine::join(total, x);
        else Combine::join(simd<T>::load(out), x).store(out);
    }
    RICCI_INLINE static void run_unrolled(const Sweep& sweep, simd_inputs<Sweep, T>& in, const span_args& a, simd<T>& total) {
        constexpr int ways = 4;
        simd<T> part[ways];
        for (int w = 0; w < ways; ++w) part[w] = simd<T>(Combine::template identity<T>());
        for (; in.i + ways * lanes <= a.n; in.i += lanes)
            for_indices<ways>([&](auto w) {
                outputs_type out(a.merge);
                sweep.template run<simd_domain<T>>(in, out);
                part[w()] = Combine::join(part[w()], out.template at<0>());
                if constexpr (w() + 1 < ways) in.i += lanes;
            });
        total = Combine::join(Combine::join(part[0], part[1]), Combine::join(part[2], part[3]));
    }
};

/// What a row needs to know of a kernel to run spans; the code of rows itself is shared by all kernels of one lane type.
struct simd_kernel {
    const void* sweep;
    span_function span;
    int inputs, outputs;
    const bool* input_is_bool;
    const bool* output_is_bool;
};

template <class T, class Combine>
struct simd_row {
    static constexpr int lanes = simd<T>::lanes;
    static constexpr int most = max_operands;
    using wide = wide_accumulator<std::conditional_t<std::is_void_v<Combine>, combine_plus, Combine>, T>;

    static void run(const void* self, const row_args& r) {
        const simd_kernel& k = *static_cast<const simd_kernel*>(self);
        alignas(64) std::byte splat[most][lanes * sizeof(T)];
        std::byte* in[most];
        index_t mask[most];
        for (int i = 0; i < k.inputs; ++i) {
            in[i] = r.in[i];
            mask[i] = r.in_step[i] == 0 ? 0 : -1;
            if (r.in_step[i] != 0) continue;
            in[i] = splat[i];
            if (k.input_is_bool[i]) std::memset(splat[i], *reinterpret_cast<const unsigned char*>(r.in[i]), lanes);
            else simd<T>(*reinterpret_cast<const T*>(r.in[i])).store(reinterpret_cast<T*>(splat[i]));
        }
        alignas(64) std::byte totals[most * sizeof(simd<T>)];
        // where an output is written over an input, registers must not overlap: the rest goes through buffers
        const index_t whole = r.n < lanes || writes_over_input(k, r) ? r.n & ~index_t(lanes - 1) : r.n;
        if (whole) {
            k.span(k.sweep, span_args{whole, in, mask, r.out, r.mode, r.merge}, totals);
            if constexpr (!std::is_void_v<Combine>) add_totals(k, r, totals);
        }
        if (whole < r.n) tail(k, r, in, mask, whole, totals);
    }
    static bool writes_over_input(const simd_kernel& k, const row_args& r) {
        if constexpr (std::is_void_v<Combine>) {
            for (int i = 0; i < k.inputs; ++i)
                if (r.in[i] == r.out[0]) return true;
        }
        return false;
    }

   private:
    static void add_totals(const simd_kernel& k, const row_args& r, const std::byte* totals) {
        for (int o = 0; o < k.outputs; ++o) {
            if (r.mode[o] != output_mode::total) continue;
            const simd<T> total = reinterpret_cast<const simd<T>*>(totals)[o];
            wide& w = *reinterpret_cast<wide*>(r.out[o]);
            if constexpr (std::is_same_v<Combine, combine_plus>) {
                w.add(reduce_add(total));
            } else {
                T lane[lanes];
                total.store(lane);
                for (int j = 0; j < lanes; ++j) w.add(lane[j]);
            }
        }
    }
    /// The last, partial register: through buffers, so that the same code computes it and nothing is read or written beyond.
    static void tail(const simd_kernel& k, const row_args& r, std::byte* const* from, const index_t* from_mask, index_t at,
                     std::byte* totals) {
        const index_t rest = r.n - at;
        alignas(64) std::byte buffer[most][lanes * sizeof(T)];
        alignas(64) std::byte results[most][lanes * sizeof(T)];
        std::byte* in[most];
        std::byte* out[most];
        output_mode store_all[most];
        for (int i = 0; i < k.inputs; ++i) {
            in[i] = from[i];
            if (from_mask[i] == 0) continue;
            in[i] = buffer[i];
            if (k.input_is_bool[i]) simd_mask<T>::load_partial(reinterpret_cast<const bool*>(from[i]) + at, rest).store(reinterpret_cast<bool*>(buffer[i]));
            else simd<T>::load_partial(reinterpret_cast<const T*>(from[i]) + at, rest).store(reinterpret_cast<T*>(buffer[i]));
        }
        for (int o = 0; o < k.outputs; ++o) {
            out[o] = results[o];
            store_all[o] = output_mode::store;
        }
        k.span(k.sweep, span_args{lanes, in, from_mask, out, store_all, r.merge}, totals);
        for (int o = 0; o < k.outputs; ++o) put_tail(k, r, o, results[o], at, rest);
    }
    static void put_tail(const simd_kernel& k, const row_args& r, int o, const std::byte* result, index_t at, index_t rest) {
        if (r.mode[o] == output_mode::skip) return;
        if (k.output_is_bool[o]) {
            std::memcpy(r.out[o] + at, result, static_cast<std::size_t>(rest));
            return;
        }
        const T* v = reinterpret_cast<const T*>(result);
        T* to = reinterpret_cast<T*>(r.out[o]) + at;
        if (r.mode[o] == output_mode::store) {
            simd<T>::load(v).store_partial(to, rest);
        } else if constexpr (!std::is_void_v<Combine>) {
            if (r.mode[o] == output_mode::total)
                for (index_t j = 0; j < rest; ++j) reinterpret_cast<wide*>(r.out[o])->add(v[j]);
            else
                Combine::join(simd<T>::load_partial(to, rest), simd<T>::load(v)).store_partial(to, rest);
        }
    }
};

// ---- scalar rows ----------------------------------------------------------------------------------------------------------

template <class Sweep>
struct scalar_inputs {
    const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t step[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t i = 0;
    template <int K>
    RICCI_HD RICCI_INLINE auto get() const {
        return reinterpret_cast<const typename Sweep::template input_type<K>*>(at[K])[i * step[K]];
    }
};
/// Unit steps known to the compiler, so that simple loops vectorise.
template <class Sweep>
struct dense_inputs {
    const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t i = 0;
    template <int K>
    RICCI_HD RICCI_INLINE auto get() const {
        return reinterpret_cast<const typename Sweep::template input_type<K>*>(at[K])[i];
    }
};

template <class Sweep, class Combine>
struct scalar_row {
    using outputs_type = step_outputs<Sweep, scalar_domain, merging::none>;

    static void run(const void* self, const row_args& r) {
        const Sweep& sweep = *static_cast<const Sweep*>(self);
        bool dense = std::is_void_v<Combine>;
        for (int i = 0; i < Sweep::inputs; ++i) dense = dense && r.in_step[i] == 1;
        for (int o = 0; o < Sweep::outputs; ++o) dense = dense && r.out_step[o] == 1;
        if (dense) run_dense(sweep, r);
        else run_strided(sweep, r);
    }

   private:
    static void run_dense(const Sweep& sweep, const row_args& r) {
        if constexpr (Sweep::outputs == 1) {
            dense_inputs<Sweep> in;
            for (int k = 0; k < Sweep::inputs; ++k) in.at[k] = r.in[k];
            auto* out = reinterpret_cast<typename Sweep::template output_type<0>*>(r.out[0]);
            for (in.i = 0; in.i < r.n; ++in.i) {
                outputs_type step(nullptr);
                sweep.template run<scalar_domain>(in, step);
                out[in.i] = step.template at<0>();
            }
        } else {
            run_strided(sweep, r);
        }
    }
    static void run_strided(const Sweep& sweep, const row_args& r) {
        scalar_inputs<Sweep> in;
        for (int k = 0; k < Sweep::inputs; ++k) {
            in.at[k] = r.in[k];
            in.step[k] = r.in_step[k];
        }
        for (in.i = 0; in.i < r.n; ++in.i) {
            outputs_type step(nullptr);
            sweep.template run<scalar_domain>(in, step);
            for_indices<Sweep::outputs>([&](auto k) { put<k()>(r, in.i, step.template at<k()>()); });
        }
    }
    /// Merged outputs are added one by one into the element (or accumulator) that they share.
    template <int K, class U>
    RICCI_INLINE static void put(const row_args& r, index_t i, const U& v) {
        const int k = r.merge[K];
        U* out = reinterpret_cast<U*>(r.out[k]);
        if constexpr (std::is_void_v<Combine>) {
            out[i * r.out_step[k]] = v;
        } else if (r.mode[k] == output_mode::total) {
            reinterpret_cast<wide_accumulator<Combine, U>*>(r.out[k])->add(v);
        } else {
            U& at = out[i * r.out_step[k]];
            at = r.mode[k] == output_mode::add || k != K ? Combine::join(at, v) : v;
        }
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
