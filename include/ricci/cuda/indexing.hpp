// Advanced indexing on the second device: elements read from and written to the positions that index arrays name.
#pragma once
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/logical.h>
#include <thrust/sort.h>
#include "../cpu/combine.hpp"
#include "../cpu/index_loop.hpp"

#include "kernel.hpp"
#include "thrust_call.hpp"

namespace ricci::detail {

/// The elements of x that index arrays name beside those of y, as cpu/index_loop.hpp describes them: `named` positions,
/// and `free` ones at each of them.
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
        : x(reinterpret_cast<T*>(to.data())), y(reinterpret_cast<U*>(from.data())), index{{{a.data()}...}} {
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
    /// Whether the indices of the i-th name are in range.
    RICCI_HD bool is_valid(index_t i) const {
        index_t at[2 + arrays] = {};
        named.add_offsets(i, at);
        bool valid = true;
        for_indices<arrays>([&](auto k) {
            const auto v = wrap_index(get<k()>(index)[at[2 + k()]], extent[k()]);
            valid = valid && 0 <= v && v < extent[k()];
        });
        return valid;
    }
    /// Where the i-th name leads to, of valid indices.
    RICCI_HD RICCI_INLINE void locate_name(index_t i, index_t& x_at, index_t& y_at) const {
        index_t at[2 + arrays] = {};
        named.add_offsets(i, at);
        for_indices<arrays>(
            [&](auto k) { at[0] += wrap_index(get<k()>(index)[at[2 + k()]], extent[k()]) * stride[k()]; });
        x_at = at[0];
        y_at = at[1];
    }
    RICCI_HD RICCI_INLINE void add_free(index_t free_index, index_t& x_at, index_t& y_at) const {
        index_t inner[2] = {};
        free.add_offsets(free_index, inner);
        x_at += inner[0];
        y_at += inner[1];
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

/// Whether an index array's element leads into x.
template <class Elements>
struct valid_name {
    Elements e;
    RICCI_HD bool operator()(index_t i) const { return e.is_valid(i); }
};
/// y = x[index], all elements at once.
template <class Elements>
struct gather_kernel {
    Elements e;
    RICCI_HD void operator()(index_t i) const {
        const index_t row = e.free_count.quotient(i);
        index_t x_at, y_at;
        e.locate_name(row, x_at, y_at);
        e.add_free(i - row * e.free_count.value, x_at, y_at);
        e.y[y_at] = e.x[x_at];
    }
};
/// Where each name leads to, and its number.
template <class Elements>
struct target_kernel {
    Elements e;
    index_t *target, *order;
    RICCI_HD void operator()(index_t i) const {
        index_t y_at;
        e.locate_name(i, target[i], y_at);
        order[i] = i;
    }
};
/// x[index] = y, or (of no void Combine) both joined. The names are in the order of their targets, those of one target
/// in their own: the first of them joins all, one after the other, or the last is what is left.
template <class Elements, class Combine>
struct scatter_kernel {
    Elements e;
    const index_t *target, *order;
    RICCI_HD void operator()(index_t i) const {
        const index_t row = e.free_count.quotient(i), free = i - row * e.free_count.value, count = e.named.count;
        if constexpr (std::is_void_v<Combine>) {
            if (row + 1 < count && target[row + 1] == target[row]) return;
            index_t x_at, y_at;
            locate(row, free, x_at, y_at);
            e.x[x_at] = e.y[y_at];
        } else {
            if (row > 0 && target[row - 1] == target[row]) return;
            index_t x_at, y_at;
            locate(row, free, x_at, y_at);
            auto joined = Combine::join(e.x[x_at], e.y[y_at]);
            for (index_t next = row + 1; next < count && target[next] == target[row]; ++next) {
                index_t same_at;
                locate(next, free, same_at, y_at);
                joined = Combine::join(joined, e.y[y_at]);
            }
            e.x[x_at] = joined;
        }
    }

   private:
    RICCI_HD RICCI_INLINE void locate(index_t row, index_t free, index_t& x_at, index_t& y_at) const {
        e.locate_name(order[row], x_at, y_at);
        e.add_free(free, x_at, y_at);
    }
};
template <class Combine, class Elements>
void scatter(const Elements& e) {
    const index_t count = e.named.count;
    if (count == 0 || e.free.count == 0) return;
    const auto target = tensor<index_t, 1, cuda_device>::uninitialized({{count}}),
               order = tensor<index_t, 1, cuda_device>::uninitialized({{count}});
    launch(count, target_kernel<Elements>{e, target.data(), order.data()});
    if (count > 1)
        call_thrust([&](const auto& policy) {
            thrust::stable_sort_by_key(policy, target.data(), target.data() + count, order.data());
        });
    launch(count * e.free.count, scatter_kernel<Elements, Combine>{e, target.data(), order.data()});
}

// ---- masks ----------------------------------------------------------------------------------------------------------

struct is_true {
    RICCI_HD bool operator()(bool x) const { return x; }
};
template <class Mask>  // a template, so that nvcc compiles the algorithms for those alone who use it
index_t count_true_on_device(const Mask& mask) {
    index_t n = 0;
    call_thrust([&](const auto& policy) {
        n = static_cast<index_t>(thrust::count(policy, mask.data(), mask.data() + mask.size(), true));
    });
    return n;
}
/// The positions of the true ones, of which there are as many as `found` has elements.
template <class Mask>
void find_true_on_device(const Mask& mask, index_t* found) {
    const thrust::counting_iterator<index_t> place(0);
    call_thrust([&](const auto& policy) {
        thrust::copy_if(policy, place, place + mask.size(), mask.data(), found, is_true());
    });
}
/// Positions in a dense array as those along its axes, one row each: the last row has them already, as positions in
/// all.
template <int R>
struct unravel_kernel {
    index_t* found;
    index_t count;
    divisor extent[R];
    RICCI_HD void operator()(index_t i) const {
        index_t at = found[(R - 1) * count + i];
        for (int d = R - 1; d > 0; --d) {
            const index_t outer = extent[d].quotient(at);
            found[d * count + i] = at - outer * extent[d].value;
            at = outer;
        }
        found[i] = at;
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

/// An element type, read-only or not, as device code sees it.
template <class T>
using device_element_t = std::conditional_t<std::is_const_v<T>, const device_item_t<std::remove_const_t<T>>,
                                            device_item_t<std::remove_const_t<T>>>;
template <class Spec, class X, class Y, class... I>
auto make_indexed(const Spec& spec, const X& x, const Y& y, const I&... index) {
    return indexed_elements<device_element_t<typename X::element_type>, device_element_t<typename Y::element_type>,
                            Spec, typename I::element_type...>(spec, x, y, index...);
}

}  // namespace ricci::detail
