// The contraction of two arrays: products summed over some axes, by one batch of matrix products where there is one.
#pragma once
#include "../reduce.hpp"
#include "bilinear.hpp"

namespace ricci::detail {

/// Some axes of an operand as one: their common extent and the step along it, where they lie so.
struct joined_axes {
    index_t extent = 1, step = 0;
    bool fits = true;

    void add_outer(index_t n, index_t stride) {
        if (n == 1) return;
        fits = fits && (extent == 1 || stride == step * extent);
        if (extent == 1) step = stride;
        extent *= n;
    }
};

/// Two arrays, whose axes stand for the same letters (extent 1 where one lacks the letter), as two matrices that lie in
/// memory as the arrays do: what most contractions are, found sooner than contraction_plan finds it.
struct joined_matrices {
    joined_axes rows, a_inner, b_inner, columns;
    bool fits = true;
    bool is_exchanged = false;  // the innermost axis of the result is one of the rows

    joined_matrices() = default;
    RICCI_INLINE joined_matrices(int rank, std::uint64_t summed, int innermost, const index_t* a_extent,
                                 const index_t* a_stride, const index_t* b_extent, const index_t* b_stride) {
        int last_row = -1, last_column = -1;
        for (int d = rank - 1; d >= 0; --d) {
            const index_t n = a_extent[d], m = b_extent[d];
            if (n == 1 && m == 1) continue;
            if (summed >> d & 1) {
                a_inner.add_outer(n, a_stride[d]);
                b_inner.add_outer(m, b_stride[d]);
                continue;
            }
            const int place = d == innermost ? rank : d;
            fits = fits && (n == 1 || m == 1);
            if (n != 1 && place > last_row) last_row = place;
            if (m != 1 && place > last_column) last_column = place;
            rows.add_outer(n, a_stride[d]);
            columns.add_outer(m, b_stride[d]);
        }
        is_exchanged = last_row > last_column;
        fits = fits && rows.fits && columns.fits && a_inner.fits && b_inner.fits && a_inner.extent > 1 &&
               rows.extent * columns.extent > 1;
    }
    /// Whether all that is left is the inner product of two vectors.
    bool are_vectors() const {
        return rows.extent == 1 && columns.extent == 1 && a_inner.fits && b_inner.fits && a_inner.extent > 1;
    }
    /// Of the product, whose axes lie as those of a, then those of b, or, exchanged, the other way round.
    template <int L>
    shape<L> result_strides(const shape<L>& result, const shape<L>& a_extents) const {
        shape<L> strides;
        index_t pace[] = {1, 1};  // of axes that a lacks, and of those that it has
        pace[!is_exchanged] = (is_exchanged ? rows : columns).extent;
        for (int d = L - 1; d >= 0; --d) {
            index_t& at = pace[a_extents[d] != 1];
            strides[d] = at;
            at *= result[d];
        }
        return strides;
    }
};

/// How two arrays, whose axes stand for the same letters (extent 1 where one lacks the letter), become factors of a
/// batch of matrix products: letters of both are leading axes, or summed; those of one are rows or columns. It knows no
/// types.
struct contraction_plan {
    static constexpr int most = 32;
    struct axes {
        int at[most];
        int count = 0;
        index_t extent = 1;
    };
    struct factor {
        const index_t* extent;
        index_t stride[most];
    };
    int rank;
    factor a, b;
    axes leading, rows, columns, inner;

    contraction_plan(int r, std::uint64_t summed, const index_t* a_extent, const index_t* a_stride,
                     const index_t* b_extent, const index_t* b_stride)
        : rank(r), a{a_extent, {}}, b{b_extent, {}} {
        for (int d = 0; d < rank; ++d) {
            const bool in_a = a_extent[d] != 1, in_b = b_extent[d] != 1;
            a.stride[d] = in_a ? a_stride[d] : 0;
            b.stride[d] = in_b ? b_stride[d] : 0;
            if (!in_a && !in_b) continue;
            axes& where = summed >> d & 1 ? inner : in_a && in_b ? leading : in_a ? rows : columns;
            where.at[where.count++] = d;
            where.extent *= in_a ? a_extent[d] : b_extent[d];
        }
    }
    /// Whether there are matrices to multiply; otherwise a loop over products is as good.
    bool has_matrices() const { return inner.extent != 1 && (rows.extent != 1 || columns.extent != 1); }
    /// Exchanges the factors when the axis that shall be innermost in the result comes from `a`: rows of the product
    /// then lie as the result's. That is the last axis of the result where -1 is given.
    bool exchange(int innermost) {
        const auto last = [&](const axes& x) {
            for (int i = 0; i < x.count; ++i)
                if (x.at[i] == innermost) return rank;
            return x.count ? x.at[x.count - 1] : -1;
        };
        if (last(rows) <= last(columns)) return false;
        std::swap(a, b);
        std::swap(rows, columns);
        return true;
    }
    /// Orders axes as they lie in memory, so that neighbours join; the summed ones as they lie in the larger factor.
    void order() {
        sort(rows, a);
        sort(columns, b);
        sort(inner, leading.extent * rows.extent >= leading.extent * columns.extent ? a : b);
    }
    static bool joins(const axes& x, const factor& f) { return x.count - first_joined(x, f) == x.count; }
    /// The first of the axes that, with all behind it, lies in memory as one axis would.
    static int first_joined(const axes& x, const factor& f) {
        int i = x.count - 1;
        while (i > 0 && f.stride[x.at[i - 1]] == f.stride[x.at[i]] * f.extent[x.at[i]]) --i;
        return i > 0 ? i : 0;
    }
    /// The step along joined axes.
    static index_t step(const axes& x, const factor& f) { return x.count ? f.stride[x.at[x.count - 1]] : 0; }
    /// All axes: those of a batch, then two kinds, then those of extent 1.
    void list(const axes& first, const axes& second, int* to) const {
        std::uint64_t left = (std::uint64_t(1) << rank) - 1;
        for (const axes* x : {&leading, &first, &second})
            for (int i = 0; i < x->count; ++i) {
                *to++ = x->at[i];
                left &= ~(std::uint64_t(1) << x->at[i]);
            }
        for (int d = 0; d < rank; ++d)
            if (left >> d & 1) *to++ = d;
    }
    /// Axes that do not join the innermost ones become leading axes when that leaves matrices worth multiplying one by
    /// one.
    bool split(axes& x, const factor& f) {
        const int first = first_joined(x, f);
        index_t outer = 1;
        for (int i = 0; i < first; ++i) outer *= f.extent[x.at[i]];
        if (first == 0 || x.extent < 64 * outer) return first == 0;
        for (int i = 0; i < first; ++i) leading.at[leading.count++] = x.at[i];
        leading.extent *= outer;
        for (int i = first; i < x.count; ++i) x.at[i - first] = x.at[i];
        x.count -= first;
        x.extent /= outer;
        return true;
    }

   private:
    static void sort(axes& x, const factor& f) {
        const auto pace = [&](int d) { return f.stride[d] < 0 ? -f.stride[d] : f.stride[d]; };
        for (int i = 1; i < x.count; ++i)
            for (int j = i; j > 0 && pace(x.at[j - 1]) < pace(x.at[j]); --j) std::swap(x.at[j - 1], x.at[j]);
    }
};

/// A copy of x whose axes lie in memory in the order given.
template <class X>
auto copied_in_order(const X& x, const int* order) {
    constexpr int L = X::rank;
    shape<L> extents, strides, as_before;
    for (int i = 0; i < L; ++i) {
        extents[i] = x.shape()[order[i]];
        strides[i] = x.strides()[order[i]];
    }
    const auto copy = X(x.memory(), x.data(), extents, strides).clone();
    for (int i = 0; i < L; ++i) as_before[order[i]] = copy.strides()[i];
    return X(copy.memory(), copy.data(), x.shape(), as_before);
}

/// Products of elements, summed over the axes of extent 1 in `to`: one fused loop.
template <class A, class B, int L>
auto summed_products(const A& a, const B& b, const shape<L>& to) {
    const auto products = a * b;
    const auto leaves = leaves_of(products);
    const auto tree = convert_node<typename A::value_type>(make_tree(products));
    const auto op = forward_op<L, true, L, decltype(slot_types(leaves))>(tree, to, to);
    return get<0>(call_all(op, leaves));
}

/// What contracts by matrix products, on any device: the factors are copied only where axes to be joined do not lie so.
template <int L, class T, class D>
tensor<T, L, D> contract_matrices(contraction_plan& plan, tensor<T, L, D> a, tensor<T, L, D> b, const shape<L>& result,
                                  int innermost) {
    using P = contraction_plan;
    if (plan.exchange(innermost)) std::swap(a, b);
    plan.order();
    int order[L];
    const auto copy = [&](tensor<T, L, D>& x, P::factor& f, const P::axes& first, const P::axes& second) {
        plan.list(first, second, order);
        x = copied_in_order(x, order);
        for (int d = 0; d < L; ++d) f.stride[d] = f.extent[d] == 1 ? 0 : x.strides()[d];
    };
    if (!P::joins(plan.inner, plan.a) || !plan.split(plan.rows, plan.a)) copy(a, plan.a, plan.rows, plan.inner);
    if (!P::joins(plan.inner, plan.b) || !plan.split(plan.columns, plan.b)) copy(b, plan.b, plan.inner, plan.columns);

    constexpr int R = L + 2;
    shape<R> a_extents = unit_shape<R>(), b_extents = a_extents, c_extents = a_extents, a_strides{}, b_strides{};
    for (int i = 0; i < plan.leading.count; ++i) {
        const int d = plan.leading.at[i];
        a_extents[i] = plan.a.extent[d];
        b_extents[i] = plan.b.extent[d];
        c_extents[i] = a_extents[i] == 1 ? b_extents[i] : a_extents[i];
        a_strides[i] = plan.a.stride[d];
        b_strides[i] = plan.b.stride[d];
    }
    a_extents[R - 2] = c_extents[R - 2] = plan.rows.extent;
    a_extents[R - 1] = b_extents[R - 2] = plan.inner.extent;
    b_extents[R - 1] = c_extents[R - 1] = plan.columns.extent;
    a_strides[R - 2] = P::step(plan.rows, plan.a);
    a_strides[R - 1] = P::step(plan.inner, plan.a);
    b_strides[R - 2] = P::step(plan.inner, plan.b);
    b_strides[R - 1] = P::step(plan.columns, plan.b);
    const auto c = tensor<T, R, D>::uninitialized(c_extents);
    // borrowed: both outlive the product
    executor<D>::matmul(tensor<T, R, D>(storage(), a.data(), a_extents, a_strides),
                        tensor<T, R, D>(storage(), b.data(), b_extents, b_strides), c);
    plan.list(plan.rows, plan.columns, order);
    shape<L> strides;
    index_t pace = 1;
    for (int i = L - 1; i >= 0; --i) {
        strides[order[i]] = pace;
        pace *= result[order[i]];
    }
    return tensor<T, L, D>(c.memory(), c.data(), result, strides);
}

/// c = the product of arrays that are two matrices as they lie.
template <class D, class T>
void multiply_joined(const joined_matrices& joined, const T* a, const T* b, T* c) {
    const joined_axes *rows = &joined.rows, *columns = &joined.columns, *a_inner = &joined.a_inner,
                      *b_inner = &joined.b_inner;
    if (joined.is_exchanged) {
        std::swap(a, b);
        std::swap(rows, columns);
        std::swap(a_inner, b_inner);
    }
    using matrix = tensor<T, 2, D>;
    // borrowed: all three outlive the product
    executor<D>::matmul(
        matrix(storage(), const_cast<T*>(a), {rows->extent, a_inner->extent}, {rows->step, a_inner->step}),
        matrix(storage(), const_cast<T*>(b), {b_inner->extent, columns->extent}, {b_inner->step, columns->step}),
        matrix(storage(), c, {rows->extent, columns->extent}, {columns->extent, 1}));
}

/// Products of a and b, whose axes stand for the same letters, summed over the axes whose bits are set in `summed`: on
/// these both have the same extent, on the others they broadcast. The result has all axes, in whatever order in memory.
template <int L>
struct contract_op : bilinear_op<contract_op<L>> {
    static_assert(L <= contraction_plan::most, "ricci: a contraction of too many letters");
    static constexpr const char* name = "einsum";
    std::uint64_t summed;
    int innermost;  // the axis whose elements should lie side by side in the result; -1 for the last

    explicit contract_op(std::uint64_t s, int axis = -1) : summed(s), innermost(axis) {}
    template <class A, class B>
    shape<L> result_shape(const A& a, const B& b) const {
        shape<L> c = a.shape();
        broadcast_into(c, b.shape());
        for (int d = 0; d < L; ++d)
            if (summed >> d & 1) c[d] = 1;
        return c;
    }
    template <class A, class B>
    auto value(const A& a, const B& b) const {
        using T = typename A::value_type;
        using D = typename A::device_type;
        const shape<L> result = result_shape(a, b);
        const joined_matrices joined(L, summed, innermost, a.shape().extent, a.strides().extent, b.shape().extent,
                                     b.strides().extent);
        if (joined.fits) {
            const auto c = tensor<T, L, D>::uninitialized(result);
            multiply_joined<D, T>(joined, a.data(), b.data(), c.data());
            return make_pack(tensor<T, L, D>(c.memory(), c.data(), result, joined.result_strides(result, a.shape())));
        }
        contraction_plan plan(L, summed, a.shape().extent, a.strides().extent, b.shape().extent, b.strides().extent);
        if (result.count() == 0) return make_pack(tensor<T, L, D>::uninitialized(result));
        if (plan.inner.extent == 0) return make_pack(constant_array<tensor<T, L, D>>(result, T(0)));
        if (!plan.has_matrices()) return make_pack(summed_products(a, b, result));
        return make_pack(contract_matrices<L, T, D>(plan, unprotected(a), unprotected(b), result, innermost));
    }
    template <class A, class B, class C>
    auto left_adjoint(const A& a, const B& b, const C& c_bar) const {
        return call1(contract_op(lacking(a.shape(), c_bar.shape(), b.shape()), innermost_of(a)), c_bar, b);
    }
    template <class A, class B, class C>
    auto right_adjoint(const A& a, const B& b, const C& c_bar) const {
        return call1(contract_op(lacking(b.shape(), a.shape(), c_bar.shape()), innermost_of(b)), a, c_bar);
    }
    auto batched() const { return contract_op<L + 1>(summed << 1, innermost < 0 ? -1 : innermost + 1); }

   private:
    /// The axis along which elements lie side by side, so that an adjoint lies as what it is the adjoint of.
    template <class X>
    static int innermost_of(const X& x) {
        if constexpr (requires { x.inner(); }) {
            const int axis = innermost_of(x.inner()), before = std::remove_cvref_t<decltype(x.inner())>::rank - X::rank;
            return axis < before ? -1 : axis - before;
        } else if constexpr (!std::is_void_v<typename X::wrapper>) {
            return -1;
        } else {
            for (int d = X::rank - 1; d >= 0; --d)
                if (x.strides()[d] == 1 && x.shape()[d] != 1) return d;
            return -1;
        }
    }
    /// The axes that a factor's adjoint does not have.
    static std::uint64_t lacking(const shape<L>& x, const shape<L>& a, const shape<L>& b) {
        std::uint64_t axes = 0;
        for (int d = 0; d < L; ++d)
            if (x[d] == 1 && (a[d] != 1 || b[d] != 1)) axes |= std::uint64_t(1) << d;
        return axes;
    }
    /// For reading: as the handles of a plan, which have one type.
    template <class T, class D>
    static tensor<std::remove_const_t<T>, L, D> unprotected(const tensor<T, L, D>& x) {
        return {x.memory(), const_cast<std::remove_const_t<T>*>(x.data()), x.shape(), x.strides()};
    }
};

/// The axes of `x` set `shown` as axes at[d] of an array of rank L, the others of extent 1.
template <int L, class X>
auto spread_axes(const X& x, const int* at) {
    view_spec<X::rank, L> spec;
    spec.extents = unit_shape<L>();
    for (int d = 0; d < L; ++d) {
        spec.source[d] = -1;
        spec.step[d] = 1;
    }
    for (int d = 0; d < X::rank; ++d) {
        spec.source[at[d]] = d;
        spec.extents[at[d]] = x.shape()[d];
    }
    return view_of(x, spec);
}

/// The contraction of a pair as contract_op has it, where `a` and `b` may differ on summed axes, one having extent 1
/// there.
template <class A, class B>
auto contract(const A& a, const B& b, std::uint64_t summed) {
    constexpr int L = A::rank;
    shape<L> x = a.shape(), y = b.shape();
    for (int d = 0; d < L; ++d)
        if (summed >> d & 1 && x[d] != y[d]) (x[d] == 1 ? y[d] : x[d]) = 1;
    if (x == a.shape() && y == b.shape()) return call1(contract_op<L>(summed), a, b);
    return call1(contract_op<L>(summed), sum_to(a, x), sum_to(b, y));
}

}  // namespace ricci::detail
