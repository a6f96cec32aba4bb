// The device: binds fused ops to tensors on the device and runs them; fills, copies, random numbers, matmul.
#pragma once
#include "../core/philox.hpp"
#include "../cpu/executor.hpp"
#include "../expr/rounding.hpp"
#include "fourier.hpp"
#include "indexing.hpp"
#include "line_executor.hpp"
#include "matmul.hpp"
#include "reduce.hpp"
#include "softmax.hpp"

namespace ricci {
namespace detail {

/// Element `first + i` of a stream of random numbers into element i. A thread makes four, for which one counter, or
/// two, gives the bits.
template <random_source Source, class T>
struct random_kernel {
    T* out;
    std::uint64_t seed, first, count;
    RICCI_HD void operator()(index_t i) const {
        const std::uint64_t four = first / 4 + static_cast<std::uint64_t>(i);
        T y[4];
        four_random_at<Source>(seed, four, y);
        RICCI_UNROLL
        for (unsigned j = 0; j < 4; ++j) {
            const std::uint64_t at = four << 2 | j;
            if (at >= first && at - first < count) out[at - first] = y[j];
        }
    }
};

}  // namespace detail

template <>
struct executor<cuda_device> : detail::device_fourier, detail::device_line_executor, detail::device_softmax {
    /// Computes a fused op into new tensors; outputs merged into another one come back empty.
    template <class Combine, class Sweep, int Rank, bool Reduces, int... ResultRank, class... T>
    static auto run(const detail::fused<Sweep, Rank, Reduces, ResultRank...>& op, const T&... inputs) {
        using namespace detail;
        check_elements<Sweep>();
        using running = kernel_sweep<Sweep, Combine>;
        auto outputs = generate<Sweep::outputs>([&](auto k) {
            using R = std::remove_cvref_t<decltype(get<k()>(op.result))>;
            using out = tensor<typename running::template output_type<k()>, R::rank, cuda_device>;
            return op.merge[k()] == k() ? out::uninitialized(get<k()>(op.result)) : out(storage(), nullptr, {}, {});
        });
        bound_sweep<running> bound{sweep_for_kernel<Combine>(op.sweep)};
        auto axes = bind_inputs<Sweep::outputs>(bound, op.iteration_shape(inputs...), inputs...);
        for_indices<Sweep::outputs>([&](auto k) {
            bound.merge[k()] = op.merge[k()];
            bound.out[k()] = get<k()>(outputs).data();
            const auto step = row_major(op.padded[k()]);
            for (int d = 0; d < Rank; ++d) axes.bind(Sweep::inputs + k(), d, op.padded[k()][d], step[d]);
        });
        if constexpr (std::is_void_v<Combine>) run_elements(bound, axes);
        else run_reducing<Combine>(bound, axes, op.padded);
        return rounded_results<Combine>(op, outputs);
    }

    /// Computes a map into memory that exists: the elements of `out`, any strides.
    template <class Combine, class Sweep, int Rank, class O, class... T>
    static void run_into(const Sweep& sweep, const shape<Rank>& extents, const O& out, const shape<Rank>& out_strides,
                         const T&... inputs) {
        static_assert(std::is_void_v<Combine>);
        using namespace detail;
        check_elements<Sweep>();
        bound_sweep<Sweep> bound{sweep};
        auto axes = bind_inputs<1>(bound, extents, inputs...);
        bound.out[0] = out.data();
        for (int d = 0; d < Rank; ++d) axes.bind(Sweep::inputs, d, extents[d], out_strides[d]);
        run_elements(bound, axes);
    }

    /// There is no shorter way than run_into.
    template <class Sweep, class O, class... X>
    static bool run_dense(const Sweep&, const O&, const X&...) {
        return false;
    }

    template <class T, int R>
    static void fill(const tensor<T, R, cuda_device>& x, const std::type_identity_t<T>& value) {
        const detail::constant_node<T> node{{value}};
        run_into<void>(detail::value_sweep<detail::type_list<>>(node), x.shape(), x, x.strides());
    }
    /// Copies elements of one type to where they broadcast to; the caller has seen to overlap.
    template <class T, int R, class U, int Q>
    static void copy(const tensor<T, R, cuda_device>& from, const tensor<U, Q, cuda_device>& to) {
        if (from.size() == to.size() && from.is_contiguous() && to.is_contiguous())
            return detail::copy_on_device(to.data(), from.data(), static_cast<std::size_t>(from.size()) * sizeof(U));
        run_into<void>(detail::value_sweep<detail::type_list<U>>(detail::slot<0, U>{}), to.shape(), to, to.strides(),
                       from);
    }
    template <class T, class X>
    static T read(const X& x) {
        T value;
        detail::download(&value, x.data(), sizeof(T));
        return value;
    }
    /// The product of matrices in the last two axes of `a` and `b`, the leading ones broadcast, into `c`.
    template <class A, class B, class C>
    static void matmul(const A& a, const B& b, const C& c) {
        detail::device_matmul(a, b, c);
    }
    /// Elements first, first + 1, ... of a seed's stream of random numbers into a contiguous tensor.
    template <detail::random_source Source, class T, int R>
    static void random(const tensor<T, R, cuda_device>& x, std::uint64_t seed, std::uint64_t first) {
        const auto count = static_cast<std::uint64_t>(x.size());
        detail::launch<1>(static_cast<index_t>((first % 4 + count + 3) / 4),
                          detail::random_kernel<Source, T>{x.data(), seed, first, count});
    }

    /// y, which is new, becomes what index arrays select from x (ops/index/gather.hpp).
    template <class Spec, class X, class Y, class... I>
    static void gather(const Spec& spec, const X& x, const Y& y, const I&... index) {
        check_indices(spec, x, y, index...);
        const auto elements = detail::make_indexed(spec, x, y, index...);
        detail::launch(elements.named.count * elements.free.count, detail::gather_kernel<decltype(elements)>{elements});
    }
    /// The same where y has a value to keep if an index is wrong.
    template <class Spec, class X, class Y, class... I>
    static bool gather_over(const Spec& spec, const X& x, const Y& y, const I&... index) {
        gather(spec, x, y, index...);
        return true;
    }
    /// Throws index_error for an index that is out of x's range; the host finds out which.
    template <class Spec, class X, class Y, class... I>
    static void check_indices(const Spec& spec, const X& x, const Y& y, const I&... index) {
        const auto elements = detail::make_indexed(spec, x, y, index...);
        bool valid = true;
        detail::call_thrust([&](const auto& policy) {
            const thrust::counting_iterator<index_t> name(0);
            valid = thrust::all_of(policy, name, name + elements.named.count,
                                   detail::valid_name<std::remove_const_t<decltype(elements)>>{elements});
        });
        if (!valid)
            executor<cpu_device>::check_indices(spec, shape_only(x), shape_only(y), transfer<cpu_device>(index)...);
    }
    /// The elements of y are joined to (cpu/combine.hpp), or become, those of x that the index arrays name, as if one
    /// after the other. Throws index_error, x as it was, for an index that is out of range.
    template <class Combine, class Spec, class X, class Y, class... I>
    static void combine_at(const Spec& spec, const X& x, const Y& y, const I&... index) {
        check_indices(spec, x, y, index...);
        detail::scatter<Combine>(detail::make_indexed(spec, x, y, index...));
    }
    template <class Spec, class X, class Y, class... I>
    static void put(const Spec& spec, const X& x, const Y& y, const I&... index) {
        check_indices(spec, x, y, index...);
        detail::scatter<void>(detail::make_indexed(spec, x, y, index...));
    }
    /// The number of true ones; the host waits for it.
    template <class M>
    static index_t count_true(const M& mask) {
        return detail::count_true_on_device(flat(mask));
    }
    /// Where they are: row d has the positions along axis d.
    template <class M>
    static void find_true(const M& mask, const tensor<index_t, 2, cuda_device>& positions) {
        const index_t count = positions.shape()[1];
        if (count == 0) return;
        detail::find_true_on_device(flat(mask), positions.data() + (M::rank - 1) * count);
        if constexpr (M::rank > 1) {
            detail::unravel_kernel<M::rank> kernel{positions.data(), count, {}};
            for (int d = 0; d < M::rank; ++d) kernel.extent[d] = detail::divisor(mask.shape()[d]);
            detail::launch(count, kernel);
        }
    }
    static constexpr bool selects_by_maps = false, spreads_by_masks = false;
    /// The elements of x where a mask of its shape is true, of which y, new and dense, has the number.
    template <class X, class M, class Y>
    static void compress(const X& x, const M& mask, const Y& y) {
        if (!x.is_contiguous()) return compress(x.clone(), mask, y);
        const auto positions = tensor<index_t, 1, cuda_device>::uninitialized(y.shape());
        detail::find_true_on_device(flat(mask), positions.data());
        detail::launch(y.size(), detail::pick_kernel<typename X::element_type>{x.data(), positions.data(), y.data()});
    }

   private:
    /// All elements in order.
    template <class M>
    static tensor<bool, 1, cuda_device> flat(const M& mask) {
        const auto dense = detail::dense_of(mask);
        return tensor<bool, 1, cuda_device>(dense.memory(), dense.data(), {{dense.size()}}, {{1}});
    }
    /// A tensor without elements, to ask of shapes.
    template <class T, int R>
    static tensor<T, R> shape_only(const tensor<T, R, cuda_device>& x) {
        return tensor<T, R>(storage(), nullptr, x.shape(), x.strides());
    }
    template <class Sweep>
    static void check_elements() {
#if defined(RICCI_HAS_GPU)
        static_assert(!std::is_same_v<real_t<typename Sweep::value_type>, long double>,
                      "ricci: the GPU has no long double: convert with astype<double>");
#endif
    }
    template <int Outputs, class Sweep, int Rank, class... T>
    static auto bind_inputs(detail::bound_sweep<Sweep>& bound, const shape<Rank>& extents, const T&... inputs) {
        detail::axis_table<sizeof...(T) + Outputs, Rank> axes;
        for (int d = 0; d < Rank; ++d) axes.extent[d] = extents[d];
        int o = 0;
        (..., (bound.in[o] = inputs.data(), axes.bind(o, inputs), ++o));
        return axes;
    }
};

}  // namespace ricci
