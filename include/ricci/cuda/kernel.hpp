// Kernels as Thrust runs them: trivially copyable functions of one index, made of a sweep, raw pointers, strides, extents.
#pragma once
#include "../cpu/lanes.hpp"
#include "lane.hpp"

namespace ricci::detail {

/// Division by a number that all threads share, as a multiplication where the dividend has at most 31 bits (Granlund and
/// Montgomery, PLDI 1994).
struct divisor {
    index_t value = 1;
    std::uint32_t magic = 1, shift = 0;

    divisor() = default;
    explicit divisor(index_t d) : value(d) {
        if (d > index_t(1) << 31) return;  // greater than every dividend of 31 bits: see quotient
        while ((index_t(1) << shift) < d) ++shift;
        magic = static_cast<std::uint32_t>(
            ((std::uint64_t(1) << 32) * ((std::uint64_t(1) << shift) - static_cast<std::uint64_t>(d))) /
                static_cast<std::uint64_t>(d) +
            1);
    }
    RICCI_HD RICCI_INLINE index_t quotient(index_t n) const {
        if (n >> 31 != 0 || value > index_t(1) << 31) return n / value;
        const auto m = static_cast<std::uint64_t>(n);
        return static_cast<index_t>(((m * magic >> 32) + m) >> shift);
    }
};

/// A loop over some axes: from an index to the offsets of all operands, in elements. Axes that all operands can merge are one.
template <int Operands, int Rank>
struct strided_loop {
    static constexpr int most = Rank > 0 ? Rank : 1;
    index_t count = 1;
    int rank = 0;
    divisor extent[most];
    index_t stride[most][Operands];

    /// One more axis, inside of the others.
    void append(index_t n, const index_t* step) {
        count *= n;
        if (n == 1 || n == 0) return;
        if (rank > 0) {
            bool together = true;
            for (int o = 0; o < Operands; ++o) together = together && stride[rank - 1][o] == step[o] * n;
            if (together) n *= extent[--rank].value;
        }
        extent[rank] = divisor(n);
        for (int o = 0; o < Operands; ++o) stride[rank][o] = step[o];
        ++rank;
    }
    RICCI_HD RICCI_INLINE void add_offsets(index_t i, index_t (&offset)[Operands]) const {
        // unrolled: a run-time subscript would move the whole kernel from constant memory to the stack
        for_indices<most - 1>([&](auto outer) {
            constexpr int d = most - 1 - outer();
            if (d >= rank) return;
            const index_t q = extent[d].quotient(i);
            add<d>(i - q * extent[d].value, offset);
            i = q;
        });
        if (rank > 0) add<0>(i, offset);
    }
    /// How many of the first `operands` operands have neighbours side by side along the innermost axis.
    int unit_strides(int operands) const {
        int n = 0;
        for (int o = 0; o < operands; ++o) n += rank > 0 && stride[rank - 1][o] == 1;
        return n;
    }

   private:
    template <int D>
    RICCI_HD RICCI_INLINE void add(index_t i, index_t (&offset)[Operands]) const {
        for_indices<Operands>([&](auto o) { offset[o()] += i * stride[D][o()]; });
    }
};

/// The axes of an iteration space: extents and the steps of all operands, inputs before outputs.
template <int Operands, int Rank>
struct axis_table {
    static constexpr int most = Rank > 0 ? Rank : 1;
    index_t extent[most] = {};
    index_t step[most][Operands] = {};

    template <class X>
    void bind(int operand, const X& x) {
        static_assert(X::rank <= Rank);
        for (int i = 0; i < X::rank; ++i) bind(operand, Rank - X::rank + i, x.shape()[i], x.strides()[i]);
    }
    void bind(int operand, int axis, index_t length, index_t stride) { step[axis][operand] = length == 1 ? 0 : stride; }
};

/// A sweep with its data, evaluated at single elements.
template <class Sweep>
struct bound_sweep {
    static_assert(std::is_trivially_copyable_v<Sweep>,
                  "ricci: a function for the GPU must be trivially copyable: capture values");
    static constexpr int inputs = Sweep::inputs, outputs = Sweep::outputs, operands = inputs + outputs;
    using values = step_outputs<Sweep, device_domain, merging::none>;
    template <int K>
    using output_lane = device_lane_t<typename Sweep::template output_type<K>>;
    template <int K>
    using output_item = device_item_t<typename Sweep::template output_type<K>>;

    Sweep sweep;
    const void* in[inputs > 0 ? inputs : 1] = {};
    void* out[outputs] = {};
    unsigned char merge[outputs] = {};

    struct element {
        const bound_sweep& bound;
        const index_t (&offset)[operands];
        template <int K>
        RICCI_HD RICCI_INLINE auto get() const {
            return in_compute_type(
                static_cast<const device_item_t<typename Sweep::template input_type<K>>*>(bound.in[K])[offset[K]]);
        }
    };
    /// All outputs for one element; those of one leaf are added up in its representative.
    RICCI_HD RICCI_INLINE void evaluate(const index_t (&offset)[operands], values& y) const {
        const element input{*this, offset};
        sweep.template run<device_domain>(input, y);
        if constexpr (Sweep::reverse && outputs > 1)
            for_indices<outputs>([&](auto k) { for_indices<k()>([&](auto j) { add_merged<j(), k()>(y); }); });
    }
    template <int K>
    RICCI_HD RICCI_INLINE void store(const index_t (&offset)[operands], const output_lane<K>& value) const {
        static_cast<output_item<K>*>(out[K])[offset[inputs + K]] = value;
    }

   private:
    template <int J, int K>
    RICCI_HD RICCI_INLINE void add_merged(values& y) const {
        if constexpr (std::is_same_v<output_lane<J>, output_lane<K>>)
            if (merge[K] == J) y.template at<J>() = y.template at<J>() + y.template at<K>();
    }
};

/// One element of every output for each index.
template <class Sweep, int Rank>
struct element_kernel {
    bound_sweep<Sweep> bound;
    strided_loop<Sweep::inputs + Sweep::outputs, Rank> loop;

    RICCI_HD void operator()(index_t i) const {
        index_t offset[bound_sweep<Sweep>::operands] = {};
        loop.add_offsets(i, offset);
        typename bound_sweep<Sweep>::values y(bound.merge);
        bound.evaluate(offset, y);
        for_indices<Sweep::outputs>([&](auto k) {
            if (bound.merge[k()] == k()) bound.template store<k()>(offset, y.template at<k()>());
        });
    }
};

template <class Sweep, int Rank>
void run_elements(const bound_sweep<Sweep>& bound, const axis_table<Sweep::inputs + Sweep::outputs, Rank>& axes) {
    element_kernel<Sweep, Rank> kernel{bound, {}};
    for (int d = 0; d < Rank; ++d) kernel.loop.append(axes.extent[d], axes.step[d]);
    launch(kernel.loop.count, kernel);
}

}  // namespace ricci::detail
