// Advanced indexing on the second device: elements read from and written to the positions that index arrays name.
#pragma once
#include "../cpu/combine.hpp"
#include "../cpu/index_loop.hpp"
#include "device.hpp"
#include "kernel.hpp"

namespace ricci::detail {

/// The elements of x that index arrays name beside those of y, as cpu/index_loop.hpp describes them: `named` positions, and
/// `free` ones at each of them. The indices have been checked.
template <class T, class U, class Spec, class... I>
struct indexed_elements {
    static constexpr int arrays = Spec::arrays, free_rank = Spec::from_rank - arrays - Spec::batch_rank;
    T* x;
    U* y;
    pack<const I*...> index;
    strided_loop<2 + arrays, Spec::index_rank> named;
    strided_loop<2, free_rank> free;
    divisor free_count;
    index_t extent[arrays], stride[arrays];

    template <class X, class Y, class... A>
    indexed_elements(const Spec& spec, const X& to, const Y& from, const A&... a)
        : x(to.data()), y(from.data()), index{{{a.data()}...}} {
        constexpr int batch = Spec::batch_rank, own = Spec::index_rank - batch;
        for (int k = 0; k < arrays; ++k) {
            extent[k] = to.shape()[spec.at + k];
            stride[k] = to.strides()[spec.at + k];
        }
        for (int d = 0; d < Spec::index_rank; ++d) {
            const int of_y = d < batch ? d : spec.at + d - batch;
            index_t n = 1, step[2 + arrays] = {};
            bind(n, step[1], from, of_y);
            if (d < batch) bind(n, step[0], to, d);
            int k = 2;
            (..., bind(n, step[k++], a, d));
            named.append(n, step);
        }
        for (int d = batch; d < spec.at; ++d) append_free(to, d, from, d);
        for (int d = spec.at + arrays; d < Spec::from_rank; ++d) append_free(to, d, from, d - arrays + own);
        free_count = divisor(free.count > 0 ? free.count : 1);
    }
    RICCI_HD RICCI_INLINE void locate(index_t i, index_t free_index, index_t& x_at, index_t& y_at) const {
        index_t at[2 + arrays] = {}, inner[2] = {};
        named.add_offsets(i, at);
        free.add_offsets(free_index, inner);
        for_indices<arrays>(
            [&](auto k) { at[0] += wrap_index(get<k()>(index)[at[2 + k()]], extent[k()]) * stride[k()]; });
        x_at = at[0] + inner[0];
        y_at = at[1] + inner[1];
    }

   private:
    template <class A>
    static void bind(index_t& n, index_t& step, const A& a, int d) {
        step = a.shape()[d] == 1 ? 0 : a.strides()[d];
        if (a.shape()[d] != 1) n = a.shape()[d];
    }
    template <class X, class Y>
    void append_free(const X& to, int of_x, const Y& from, int of_y) {
        const index_t step[2] = {to.strides()[of_x], from.strides()[of_y]};
        free.append(to.shape()[of_x], step);
    }
};

/// y = x[index], all elements at once.
template <class Elements>
struct gather_kernel {
    Elements e;
    RICCI_HD void operator()(index_t i) const {
        const index_t row = e.free_count.quotient(i);
        index_t x_at, y_at;
        e.locate(row, i - row * e.free_count.value, x_at, y_at);
        e.y[y_at] = e.x[x_at];
    }
};
/// x[index] = y, or (of no void Combine) both joined: one after the other along the indices, so that the order is theirs, and all
/// free positions at once.
template <class Elements, class Combine>
struct scatter_kernel {
    Elements e;
    RICCI_HD void operator()(index_t free) const {
        for (index_t i = 0; i < e.named.count; ++i) {
            index_t x_at, y_at;
            e.locate(i, free, x_at, y_at);
            if constexpr (std::is_void_v<Combine>) e.x[x_at] = e.y[y_at];
            else e.x[x_at] = Combine::join(e.x[x_at], e.y[y_at]);
        }
    }
};
/// y[i] = x[positions[i]].
template <class T>
struct pick_kernel {
    const T* x;
    const index_t* positions;
    std::remove_const_t<T>* y;
    RICCI_HD void operator()(index_t i) const { y[i] = x[positions[i]]; }
};

template <class Spec, class X, class Y, class... I>
auto make_indexed(const Spec& spec, const X& x, const Y& y, const I&... index) {
    return indexed_elements<typename X::element_type, typename Y::element_type, Spec, typename I::element_type...>(
        spec, x, y, index...);
}

}  // namespace ricci::detail
