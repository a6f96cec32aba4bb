// Rows of kernels with complex numbers: on registers of the parts, where all other numbers are of the parts' type.
#pragma once
#include "row.hpp"
#include "simd/complex.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// What such rows do with elements of one type, whatever their kernels are.
template <class T, class Combine>
struct complex_elements {
    static constexpr int lanes = simd<T>::lanes;
    static constexpr std::size_t register_bytes = lanes * 2 * sizeof(T);

    /// A register of copies of an element.
    template <class U>
    RICCI_INLINE static std::byte* repeat(const std::byte* from, std::byte* to) {
        for (int i = 0; i < lanes; ++i) reinterpret_cast<U*>(to)[i] = *reinterpret_cast<const U*>(from);
        return to;
    }
    /// n elements from one on.
    template <class U>
    RICCI_INLINE static std::byte* copy(const std::byte* from, index_t at, index_t n, std::byte* to) {
        for (index_t i = 0; i < n; ++i) reinterpret_cast<U*>(to)[i] = reinterpret_cast<const U*>(from)[at + i];
        return to;
    }
    template <class U, class Lane>
    RICCI_INLINE static void put(output_mode mode, U* to, const Lane& v, Lane& total) {
        if constexpr (std::is_void_v<Combine>) {
            store_lanes(v, to);
        } else if (mode == output_mode::store) {
            store_lanes(v, to);
        } else if constexpr (!std::is_same_v<U, bool>) {
            if (mode == output_mode::total) total = Combine::join(total, v);
            else if (mode == output_mode::add) store_lanes(Combine::join(load_lanes<Lane>(to), v), to);
        }
    }
    /// The first n lanes.
    template <class U, class Lane>
    static void put_some(output_mode mode, std::byte* out, index_t at, index_t n, const Lane& v) {
        alignas(64) U values[lanes];
        store_lanes(v, values);
        U* const to = reinterpret_cast<U*>(out) + at;
        if constexpr (std::is_void_v<Combine>) {
            for (index_t i = 0; i < n; ++i) to[i] = values[i];
        } else if (mode == output_mode::total) {
            add_up(out, values, n);
        } else if (mode == output_mode::store) {
            for (index_t i = 0; i < n; ++i) to[i] = values[i];
        } else if (mode == output_mode::add) {
            for (index_t i = 0; i < n; ++i) to[i] = Combine::join(to[i], values[i]);
        }
    }
    template <class U, class Lane>
    static void put_total(output_mode mode, std::byte* out, const Lane& total) {
        if constexpr (std::is_same_v<Combine, combine_plus> && is_complex_v<U>) {
            if (mode != output_mode::total) return;
            const U sum(reduce_add(total.re), reduce_add(total.im));
            add_up(out, &sum, 1);
        } else if constexpr (!std::is_same_v<U, bool>) {
            if (mode == output_mode::total) put_some<U>(mode, out, 0, lanes, total);
        }
    }
    template <class U, class Other, class Lane, class OtherLane>
    RICCI_INLINE static void add_alike(Lane& sum, const OtherLane& x) {
        if constexpr (std::is_same_v<U, Other> && !std::is_same_v<U, bool>) sum = sum + x;
    }

   private:
    template <class U>
    RICCI_INLINE static void add_up(std::byte* out, const U* values, index_t n) {
        auto& wide = *reinterpret_cast<wide_accumulator<Combine, U>*>(out);
        for (index_t i = 0; i < n; ++i) wide.add(values[i]);
    }
};

template <class Sweep, class T, class Combine, class Inputs = std::make_integer_sequence<int, Sweep::inputs>,
          class Outputs = std::make_integer_sequence<int, Sweep::outputs>>
struct complex_row;
template <class Sweep, class T, class Combine, int... I, int... K>
struct complex_row<Sweep, T, Combine, std::integer_sequence<int, I...>, std::integer_sequence<int, K...>> {
    using elements = complex_elements<T, Combine>;
    using outputs_type = step_outputs<Sweep, simd_domain<T>, merging::none>;
    static constexpr int lanes = elements::lanes;
    template <int N>
    using in_t = typename Sweep::template input_type<N>;
    template <int N>
    using out_t = typename Sweep::template output_type<N>;

    static void run(const void* self, const row_args& r) {
        const Sweep sweep = *static_cast<const Sweep*>(self);
        alignas(64) std::byte copies[sizeof...(I) + 1][elements::register_bytes];
        const index_t mask[] = {index_t(r.in_step[I] == 0 ? 0 : -1)..., 0};
        std::byte* const in[] = {(mask[I] ? r.in[I] : elements::template repeat<in_t<I>>(r.in[I], copies[I]))...,
                                 copies[0]};
        const index_t whole = r.n & ~index_t(lanes - 1);
        if (whole) registers(sweep, span_args{whole, in, mask, r.out, r.mode, r.merge});
        if (whole < r.n) tail(sweep, r, in, mask, whole);
    }

   private:
    /// Cheap sums have two registers each, to hide the latency of the addition.
    static constexpr bool alternates = !std::is_void_v<Combine> && Sweep::outputs == 1 && Sweep::order == 0 &&
                                       tree_cost_v<typename Sweep::tree_type> <= 4;
    RICCI_FLATTEN static void registers(const Sweep& function, const span_args& args) {
        const Sweep sweep = function;
        simd_inputs<Sweep, T> in(args);
        std::byte* const out_at[] = {args.out[K]...};
        const output_mode mode[] = {args.mode[K]...};
        outputs_type totals(nullptr), others(nullptr);
        const auto step = [&](outputs_type& to) RICCI_INLINE_LAMBDA {
            outputs_type out(nullptr);
            sweep.template run<simd_domain<T>>(in, out);
            if constexpr (!std::is_void_v<Combine>) (merge_into<K>(args.merge, out), ...);
            (elements::put(mode[K], reinterpret_cast<out_t<K>*>(out_at[K]) + in.i, out.template at<K>(),
                           to.template at<K>()),
             ...);
            in.i += lanes;
        };
        if constexpr (!std::is_void_v<Combine>)
            ((totals.template at<K>() = others.template at<K>() =
                  typename outputs_type::template lane<K>(Combine::template identity<out_t<K>>())),
             ...);
        if constexpr (alternates) {
            while (in.i + lanes < args.n) step(totals), step(others);
            ((totals.template at<K>() = Combine::join(totals.template at<K>(), others.template at<K>())), ...);
        }
        while (in.i < args.n) step(totals);
        if constexpr (!std::is_void_v<Combine>)
            (elements::template put_total<out_t<K>>(mode[K], out_at[K], totals.template at<K>()), ...);
    }
    /// Adjoints of one leaf are added up in the first one's register.
    template <int First>
    RICCI_INLINE static void merge_into(const unsigned char* table, outputs_type& out) {
        (void(K > First && table[K] == First &&
              (elements::template add_alike<out_t<First>, out_t<K>>(out.template at<First>(), out.template at<K>()),
               true)),
         ...);
    }
    /// The last, partial register: through buffers, so that nothing is read or written beyond.
    static void tail(const Sweep& sweep, const row_args& r, std::byte* const* from, const index_t* mask, index_t at) {
        const index_t rest = r.n - at;
        alignas(64) std::byte buffer[sizeof...(I) + 1][elements::register_bytes] = {};
        simd_inputs<Sweep, T> in(span_args{lanes, from, mask, nullptr, nullptr, nullptr});
        (void(mask[I] && (in.at[I] = elements::template copy<in_t<I>>(from[I], at, rest, buffer[I]))), ...);
        outputs_type out(nullptr);
        sweep.template run<simd_domain<T>>(in, out);
        if constexpr (!std::is_void_v<Combine>) (merge_into<K>(r.merge, out), ...);
        (elements::template put_some<out_t<K>>(r.mode[K], r.out[K], at, rest, out.template at<K>()), ...);
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
