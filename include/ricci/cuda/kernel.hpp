// Kernels as the device runs them: trivially copyable functions of one index, made of a sweep, raw pointers, strides,
// extents.
#pragma once
#include <cmath>

#include "../cpu/lanes.hpp"
#include "lane.hpp"

namespace ricci::detail {

/// Division by a number that all threads share, as a multiplication where the dividend has at most 31 bits (Granlund
/// and Montgomery, PLDI 1994).
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
        return static_cast<index_t>(quotient(static_cast<std::uint32_t>(n)));
    }
    /// Of at most 31 bits; the divisor has no more than that and a bit.
    RICCI_HD RICCI_INLINE std::uint32_t quotient(std::uint32_t n) const {
        return (static_cast<std::uint32_t>(std::uint64_t(n) * magic >> 32) + n) >> shift;
    }
};

/// A loop over some axes: from an index to the offsets of all operands, in elements. Axes that all operands can merge
/// are one.
template <int Operands, int Rank>
struct strided_loop {
    static constexpr int most = Rank > 0 ? Rank : 1;
    index_t count = 1;
    int rank = 0;
    bool narrow = true;  // 31 bits will do for indices, those of a few threads too many among them, and for offsets
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
        narrow = count < most_narrow;
        for (int o = 0; o < Operands; ++o) {
            double reach = 0;  // strides of empty arrays may be anything
            for (int d = 0; d < rank; ++d)
                reach += static_cast<double>(extent[d].value) * std::abs(static_cast<double>(stride[d][o]));
            narrow = narrow && reach < static_cast<double>(most_narrow);
        }
    }
    RICCI_HD RICCI_INLINE void add_offsets(index_t i, index_t (&offset)[Operands]) const {
        if (!narrow) return walk(i, offset);
        std::uint32_t at[Operands] = {};
        walk(static_cast<std::uint32_t>(i), at);
        for_indices<Operands>([&](auto o) { offset[o()] += static_cast<std::int32_t>(at[o()]); });
    }
    /// How many of the first `operands` operands have neighbours side by side along the innermost axis.
    int unit_strides(int operands) const {
        int n = 0;
        for (int o = 0; o < operands; ++o) n += rank > 0 && stride[rank - 1][o] == 1;
        return n;
    }

   private:
    static constexpr index_t most_narrow = (index_t(1) << 31) - (index_t(1) << 20);

    template <class N>
    RICCI_HD RICCI_INLINE void walk(N i, N (&offset)[Operands]) const {
        // unrolled: a run-time subscript would move the whole kernel from constant memory to the stack
        for_indices<most - 1>([&](auto outer) {
            constexpr int d = most - 1 - outer();
            if (d >= rank) return;
            const N q = extent[d].quotient(i);
            add<d>(static_cast<N>(i - q * static_cast<N>(extent[d].value)), offset);
            i = q;
        });
        if (rank > 0) add<0>(i, offset);
    }
    template <int D, class N>
    RICCI_HD RICCI_INLINE void add(N i, N (&offset)[Operands]) const {
        for_indices<Operands>([&](auto o) { offset[o()] += i * static_cast<N>(stride[D][o()]); });
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

/// The inputs of a sweep at one place, as memory holds them.
template <class Sweep, class = std::make_integer_sequence<int, Sweep::inputs>>
struct loaded_inputs;
template <class Sweep, int... K>
struct loaded_inputs<Sweep, std::integer_sequence<int, K...>> {
    pack<device_item_t<typename Sweep::template input_type<K>>...> items;
    template <int I>
    RICCI_HD RICCI_INLINE auto get() const {
        return in_compute_type(ricci::detail::get<I>(items));
    }
    /// The bytes at one place. A thread reads some 32 before it computes: memory is fast, but answers late.
    static constexpr int bytes =
        (0 + ... + static_cast<int>(sizeof(device_item_t<typename Sweep::template input_type<K>>)));
};

/// Calls f(x[i]) for each element of an array that is to stay in registers. A function that is long is there
/// once, for x[0], where the others follow: instructions have to be read, too.
template <bool Long, int N, class X, class F>
RICCI_HD RICCI_INLINE void for_each_in_registers(X (&x)[N], const F& f) {
    if constexpr (Long) {
        RICCI_ROLL
        for (int i = 0; i < N; ++i) {
            f(x[0]);
            RICCI_UNROLL
            for (int j = 0; j + 1 < N; ++j) x[j] = x[j + 1];
        }
    } else {
        RICCI_UNROLL
        for (int i = 0; i < N; ++i) f(x[i]);
    }
}
/// Whether evaluating a sweep takes many instructions.
template <class Sweep>
inline constexpr bool is_long_v = tree_cost_v<typename Sweep::tree_type> * (Sweep::reverse ? 2 : 1) > 100;

/// A sweep with its data, evaluated at single elements.
template <class Sweep>
struct bound_sweep {
    static_assert(std::is_trivially_copyable_v<Sweep>,
                  "ricci: a function for the GPU must be trivially copyable: capture values");
    static constexpr int inputs = Sweep::inputs, outputs = Sweep::outputs, operands = inputs + outputs;
    using loaded = loaded_inputs<Sweep>;
    using values = step_outputs<Sweep, device_domain, merging::none>;
    template <int K>
    using output_lane = device_lane_t<typename Sweep::template output_type<K>>;
    template <int K>
    using output_item = device_item_t<typename Sweep::template output_type<K>>;

    Sweep sweep;
    const void* in[inputs > 0 ? inputs : 1] = {};
    void* out[outputs] = {};
    unsigned char merge[outputs] = {};

    RICCI_HD RICCI_INLINE loaded load(const index_t (&offset)[operands]) const {
        loaded x;
        for_indices<inputs>([&](auto k) {
            using item = device_item_t<typename Sweep::template input_type<k()>>;
            ricci::detail::get<k()>(x.items) = static_cast<const item*>(in[k()])[offset[k()]];
        });
        return x;
    }
    /// All outputs for one element; those of one leaf are added up in its representative.
    RICCI_HD RICCI_INLINE void evaluate(const loaded& x, values& y) const {
        sweep.template run<device_domain>(x, y);
        if constexpr (Sweep::reverse && outputs > 1)
            for_indices<outputs>([&](auto k) { for_indices<k()>([&](auto j) { add_merged<j(), k()>(y); }); });
    }
    template <int K>
    RICCI_HD RICCI_INLINE void store(index_t offset, const output_lane<K>& value) const {
        static_cast<output_item<K>*>(out[K])[offset] = value;
    }

   private:
    template <int J, int K>
    RICCI_HD RICCI_INLINE void add_merged(values& y) const {
        if constexpr (std::is_same_v<output_lane<J>, output_lane<K>>)
            if (merge[K] == J) y.template at<J>() = y.template at<J>() + y.template at<K>();
    }
};

/// The order in which threads visit an iteration space: along the innermost axis, or, where operands have their
/// neighbours along different axes, in squares over two of them, so that whole cache lines are used of each operand.
template <int Operands, int Rank>
struct visiting_order {
    static constexpr int side = 32, warp = 32;

    strided_loop<Operands, Rank> loop;  // where there are squares, of the other axes
    index_t count = 0;                  // of indices, those that lie beside the edge in squares among them
    bool squares = false;
    bool steady = false;  // what the threads of a warp visit one after the other lies at the same distances everywhere
    index_t jump[2][Operands] = {};
    index_t extent[2] = {}, step[2][Operands] = {};
    divisor tiles[2];

    explicit visiting_order(const axis_table<Operands, Rank>& axes) {
        for (int d = 0; d < Rank; ++d) loop.append(axes.extent[d], axes.step[d]);
        count = loop.count;
        const int inner = loop.rank - 1;
        steady = inner <= 0 || loop.extent[inner].value % (4 * warp) == 0;
        for (int o = 0; o < Operands; ++o)
            for (const int which : {0, 1}) jump[which][o] = inner < 0 ? 0 : loop.stride[inner][o] * warp * (1 + which);
        if (Rank >= 2 && count > 0) look_for_squares();
    }
    /// The offsets of N elements that a thread visits, 1, 2 or 4, a warp's width apart: indices first, first + warp,
    /// ... Whether there are such.
    template <int N>
    RICCI_HD RICCI_INLINE void find(index_t first, index_t (&offset)[N][Operands], bool (&found)[N]) const {
        if constexpr (Rank >= 2) {
            if (squares) return find_in_square(first, offset, found);
        }
        RICCI_UNROLL
        for (int i = 0; i < N; ++i) {
            found[i] = first + i * warp < count;
            if (i == 0 || !steady) loop.add_offsets(first + i * warp, offset[i]);
            else jump_to(i, offset);
        }
    }

   private:
    void look_for_squares() {
        const int inner = loop.rank - 1;
        int best = -1, most = 0;
        for (int d = 0; d < inner; ++d) {
            int n = 0;
            for (int o = 0; o < Operands; ++o) n += loop.stride[d][o] == 1 && loop.stride[inner][o] > 1;
            if (n > most && loop.extent[d].value >= 8) most = n, best = d;
        }
        if (best < 0 || loop.extent[inner].value < 8) return;
        const auto whole = [](index_t n) { return (n + side - 1) / side * side; };
        const index_t a = loop.extent[best].value, b = loop.extent[inner].value;
        if (whole(a) * whole(b) > 2 * a * b) return;  // most of what is visited would lie beside the edge
        squares = true;
        const strided_loop<Operands, Rank> all = loop;
        loop = {};
        for (int d = 0; d < inner; ++d)
            if (d != best) loop.append(all.extent[d].value, all.stride[d]);
        for (const int which : {0, 1}) {
            const int axis = which ? best : inner;
            extent[which] = all.extent[axis].value;
            tiles[which] = divisor((extent[which] + side - 1) / side);
            for (int o = 0; o < Operands; ++o) step[which][o] = all.stride[axis][o];
        }
        for (int o = 0; o < Operands; ++o) {
            jump[0][o] = 4 * step[1][o];
            jump[1][o] = 8 * step[0][o];
        }
        count = loop.count * tiles[0].value * tiles[1].value * side * side;
    }
    /// 128 indices, those of the threads of a warp that visit four elements each, are 16 by 8 elements.
    template <int N>
    RICCI_HD RICCI_INLINE void find_in_square(index_t first, index_t (&offset)[N][Operands], bool (&found)[N]) const {
        const auto within = static_cast<unsigned>(first) % (side * side);
        const index_t tile = first / (side * side), row = tiles[0].quotient(tile), outer = tiles[1].quotient(row);
        const index_t x = (tile - row * tiles[0].value) * side + static_cast<int>((within & 7) | (within >> 3 & 24));
        const index_t y =
            (row - outer * tiles[1].value) * side + static_cast<int>((within >> 3 & 7) | (within >> 5 & 24));
        loop.add_offsets(outer, offset[0]);
        for_indices<Operands>([&](auto o) { offset[0][o()] += x * step[0][o()] + y * step[1][o()]; });
        RICCI_UNROLL
        for (int i = 0; i < N; ++i) {
            found[i] = first < count && x + i / 2 * 8 < extent[0] && y + i % 2 * 4 < extent[1];
            if (i > 0) jump_to(i, offset);
        }
    }
    template <int N>
    RICCI_HD RICCI_INLINE void jump_to(int i, index_t (&offset)[N][Operands]) const {
        for_indices<Operands>(
            [&](auto o) { offset[i][o()] = offset[0][o()] + (i % 2 ? jump[0][o()] : 0) + (i / 2 ? jump[1][o()] : 0); });
    }
};

/// One element of every output for each index.
template <class Sweep, int Rank>
struct element_kernel {
    static constexpr int operands = bound_sweep<Sweep>::operands, bytes = bound_sweep<Sweep>::loaded::bytes;
    static constexpr int at_once = bytes <= 8 ? 4 : bytes <= 16 ? 2 : 1;
    using visiting = visiting_order<operands, Rank>;

    bound_sweep<Sweep> bound;
    visiting order;

    index_t threads() const {
        constexpr index_t group = visiting::warp * at_once;
        return (order.count + group - 1) / group * visiting::warp;
    }
    RICCI_HD void operator()(index_t thread) const {
        const index_t first = thread / visiting::warp * (visiting::warp * at_once) + thread % visiting::warp;
        index_t offset[at_once][operands] = {};
        bool found[at_once];
        order.find(first, offset, found);
        place places[at_once];
        RICCI_UNROLL
        for (int i = 0; i < at_once; ++i) {
            for_indices<Sweep::outputs>([&](auto k) { places[i].out[k()] = offset[i][Sweep::inputs + k()]; });
            places[i].found = found[i];
            if (found[i]) places[i].x = bound.load(offset[i]);
        }
        for_each_in_registers<is_long_v<Sweep>>(places, [&](const place& p) {
            if (!p.found) return;
            typename bound_sweep<Sweep>::values y(bound.merge);
            bound.evaluate(p.x, y);
            for_indices<Sweep::outputs>([&](auto k) {
                if (bound.merge[k()] == k()) bound.template store<k()>(p.out[k()], y.template at<k()>());
            });
        });
    }

   private:
    struct place {
        typename bound_sweep<Sweep>::loaded x;
        index_t out[Sweep::outputs];
        bool found;
    };
};

template <class Sweep, int Rank>
void run_elements(const bound_sweep<Sweep>& bound, const axis_table<Sweep::inputs + Sweep::outputs, Rank>& axes) {
    const element_kernel<Sweep, Rank> kernel{bound, visiting_order<Sweep::inputs + Sweep::outputs, Rank>(axes)};
    launch<1>(kernel.threads(), kernel);
}

}  // namespace ricci::detail
