// Rows of kernels with complex numbers: on registers of the parts, where all other numbers are of the parts' type.
#pragma once
#include "row.hpp"
#include "simd/complex.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

template <class Sweep, class T, class Combine>
struct complex_row {
    using outputs_type = step_outputs<Sweep, simd_domain<T>, merging::none>;
    static constexpr int lanes = simd<T>::lanes, inputs = Sweep::inputs, outputs = Sweep::outputs;
    using output_indices = std::make_integer_sequence<int, outputs>;
    template <int K>
    using in_t = typename Sweep::template input_type<K>;
    template <int K>
    using out_t = typename Sweep::template output_type<K>;
    template <int K>
    using out_lane = typename simd_domain<T>::template lane<out_t<K>>;
    static constexpr std::size_t register_bytes = lanes * 2 * sizeof(T);

    static void run(const void* self, const row_args& r) {
        const Sweep sweep = *static_cast<const Sweep*>(self);
        alignas(64) std::byte copies[inputs + 1][register_bytes];
        std::byte* in[inputs + 1];
        index_t mask[inputs + 1];
        for_indices<inputs>([&](auto k) {
            mask[k()] = r.in_step[k()] == 0 ? 0 : -1;
            in[k()] = r.in[k()];
            if (mask[k()]) return;
            in[k()] = copies[k()];
            for (int i = 0; i < lanes; ++i)
                reinterpret_cast<in_t<k()>*>(copies[k()])[i] = *reinterpret_cast<const in_t<k()>*>(r.in[k()]);
        });
        const index_t whole = r.n & ~index_t(lanes - 1);
        if (whole) registers(sweep, span_args{whole, in, mask, r.out, r.mode, r.merge}, r);
        if (whole < r.n) tail(sweep, r, in, mask, whole);
    }

   private:
    RICCI_FLATTEN static void registers(const Sweep& function, const span_args& args, const row_args& r) {
        const Sweep sweep = function;
        simd_inputs<Sweep, T> in(args);
        std::byte* out_at[outputs];
        output_mode mode[outputs];
        for (int k = 0; k < outputs; ++k) {
            out_at[k] = args.out[k];
            mode[k] = args.mode[k];
        }
        outputs_type totals(nullptr);
        if constexpr (!std::is_void_v<Combine>)
            for_indices<outputs>([&](auto k) {
                if constexpr (!std::is_same_v<out_t<k()>, bool>)
                    totals.template at<k()>() = out_lane<k()>(Combine::template identity<out_t<k()>>());
            });
        for (; in.i < args.n; in.i += lanes) {
            outputs_type out(nullptr);
            sweep.template run<simd_domain<T>>(in, out);
            if constexpr (std::is_void_v<Combine>) {
                for_indices<outputs>([&](auto k) { store<k()>(out_at[k()], in.i, out.template at<k()>()); });
            } else {
                merge(args.merge, out);
                for_indices<outputs>([&](auto k) {
                    put<k()>(mode[k()], out_at[k()], in.i, out.template at<k()>(), totals.template at<k()>());
                });
            }
        }
        if constexpr (!std::is_void_v<Combine>)
            for_indices<outputs>([&](auto k) {
                if (mode[k()] != output_mode::total) return;
                alignas(64) std::byte buffer[register_bytes];
                store<k()>(buffer, 0, totals.template at<k()>());
                add_all<k()>(r, buffer, lanes);
            });
    }
    template <int K>
    RICCI_INLINE static void store(std::byte* out, index_t i, const out_lane<K>& v) {
        store_lanes(v, reinterpret_cast<out_t<K>*>(out) + i);
    }
    template <int K>
    RICCI_INLINE static void put(output_mode mode, std::byte* out, index_t i, const out_lane<K>& v,
                                 out_lane<K>& total) {
        if constexpr (std::is_same_v<out_t<K>, bool>) {
            if (mode == output_mode::store) store<K>(out, i, v);
        } else {
            if (mode == output_mode::total) total = Combine::join(total, v);
            else if (mode == output_mode::store) store<K>(out, i, v);
            else if (mode == output_mode::add)
                store<K>(out, i, Combine::join(out_lane<K>::load(reinterpret_cast<const out_t<K>*>(out) + i), v));
        }
    }
    /// Adjoints of one leaf are added up in the first one's register.
    RICCI_INLINE static void merge(const unsigned char* table, outputs_type& out) {
        for_indices<outputs>([&](auto k) {
            for_indices<k()>([&](auto j) {
                if constexpr (std::is_same_v<out_t<j()>, out_t<k()>> && !std::is_same_v<out_t<k()>, bool>)
                    if (table[k()] == j()) out.template at<j()>() = out.template at<j()>() + out.template at<k()>();
            });
        });
    }
    template <int K>
    static void add_all(const row_args& r, const std::byte* values, index_t n) {
        if constexpr (!std::is_void_v<Combine>) {
            auto& wide = *reinterpret_cast<wide_accumulator<Combine, out_t<K>>*>(r.out[K]);
            for (index_t i = 0; i < n; ++i) wide.add(reinterpret_cast<const out_t<K>*>(values)[i]);
        }
    }
    /// The last, partial register: through buffers, so that nothing is read or written beyond.
    static void tail(const Sweep& sweep, const row_args& r, std::byte* const* from, const index_t* mask, index_t at) {
        const index_t rest = r.n - at;
        alignas(64) std::byte buffer[inputs + 1][register_bytes] = {};
        simd_inputs<Sweep, T> in(span_args{lanes, from, mask, nullptr, nullptr, nullptr});
        for_indices<inputs>([&](auto k) {
            if (!mask[k()]) return;
            const auto* source = reinterpret_cast<const in_t<k()>*>(from[k()]) + at;
            for (index_t i = 0; i < rest; ++i) reinterpret_cast<in_t<k()>*>(buffer[k()])[i] = source[i];
            in.at[k()] = buffer[k()];
        });
        outputs_type out(nullptr);
        sweep.template run<simd_domain<T>>(in, out);
        if constexpr (!std::is_void_v<Combine>) merge(r.merge, out);
        for_indices<outputs>([&](auto k) {
            alignas(64) std::byte values[register_bytes];
            store<k()>(values, 0, out.template at<k()>());
            const auto* v = reinterpret_cast<const out_t<k()>*>(values);
            auto* to = reinterpret_cast<out_t<k()>*>(r.out[k()]) + at;
            if constexpr (std::is_void_v<Combine>) {
                for (index_t i = 0; i < rest; ++i) to[i] = v[i];
            } else if (r.mode[k()] == output_mode::total) {
                add_all<k()>(r, values, rest);
            } else if (r.mode[k()] == output_mode::store) {
                for (index_t i = 0; i < rest; ++i) to[i] = v[i];
            } else if (r.mode[k()] == output_mode::add) {
                for (index_t i = 0; i < rest; ++i) to[i] = Combine::join(to[i], v[i]);
            }
        });
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
