// Maps of a product that are computed with it: the last argument of matmul.
#pragma once
#include "../../expr/fused.hpp"

namespace ricci {
namespace detail {

/// The wrapper of what has a shape and no elements: maps take it, other ops refuse it.
struct pending {
    static constexpr int priority = 4;
    static constexpr const char* name = "matmul";
    static constexpr bool differentiates = false;
    template <class Op, class... A>
    static auto call(const Op&, const A&... a) {
        static_assert(
            always_false<Op>,
            "ricci: the function that matmul is given makes an element-wise map of the product: apply anything "
            "else to what matmul returns");
        return make_pack(a...);
    }
};

/// A matrix product that is still to be computed: the leaf of its epilogue.
template <class T, int R, class D>
class pending_product : public indexable<pending_product<T, R, D>> {
   public:
    using value_type = T;
    using device_type = D;
    using wrapper = pending;
    using inner_type = tensor<T, R, D>;
    static constexpr int rank = R;
    static constexpr bool is_array = true;

    explicit pending_product(const ricci::shape<R>& extents) : extents_(extents) {}
    const ricci::shape<R>& shape() const { return extents_; }
    index_t shape(int axis) const { return extents_[normalize_axis(axis, R, "shape")]; }
    index_t size() const { return extents_.count(); }
    static constexpr int ndim() { return R; }
    template <class F>
    const pending_product& with_inner(const F&) const {
        return *this;
    }

   private:
    ricci::shape<R> extents_;
};

/// What a function makes of a product: an expression of the product's shape.
template <class F, class C>
auto mapped(F& f, const C& product) {
    using E = std::remove_cvref_t<decltype(f(product))>;
    constexpr bool fits = [] {
        if constexpr (expression<E>) return E::rank == C::rank;
        else return false;
    }();
    static_assert(fits, "ricci: the function that matmul is given makes a map of the product, which has its shape");
    if constexpr (fits) {
        E e = f(product);
        for (int d = 0; d < C::rank; ++d)
            if (e.shape()[d] != product.shape()[d])
                raise<shape_error>({"[matmul] a map of the product ", product.shape(), " must have its shape, not ",
                                    e.shape(), ": ", e.shape()[d], " != ", product.shape()[d]});
        if constexpr (deferred<E> && !fixed_expression<E>) return e.fetch();
        else return e;
    }
}

/// A leaf as the executor takes it: the product has no elements, and is given in the type that it is summed in.
template <class X>
const X& product_leaf(const X& x) {
    return x;
}
template <class T, int R, class D>
auto product_leaf(const pending_product<T, R, D>& x) {
    return tensor<compute_t<T>, R, D>(storage(), nullptr, x.shape(), row_major(x.shape()));
}
template <class... X>
type_list<typename std::remove_cvref_t<decltype(product_leaf(std::declval<const X&>()))>::value_type...>
product_leaf_types(const pack<const X*...>&);

/// Whether what F makes of a product can be computed with it: by device D, from a few plain leaves.
template <class F, class T, int R, class D>
constexpr bool maps_pending() {
    if constexpr (!requires { executor<D>::most_product_leaves; } || R == 0 || std::is_same_v<T, bool>) {
        return false;
    } else {
        using E = decltype(mapped(std::declval<F&>(), std::declval<const pending_product<T, R, D>&>()));
        return []<class... X>(std::type_identity<pack<const X*...>>) {
            return ((std::is_void_v<typename X::wrapper> || std::is_same_v<typename X::wrapper, pending>) && ...) &&
                   sizeof...(X) <= executor<D>::most_product_leaves;
        }(std::type_identity<leaf_pointers_t<E>>{});
    }
}

/// f of the product of a and b, plain arrays of matrices: `full` is the product's shape, `result` the same without the
/// axes that vectors lack.
template <class T, class F, class A, class B, int Q, int R>
auto mapped_product(F& f, const A& a, const B& b, const shape<Q>& full, const shape<R>& result) {
    using D = typename A::device_type;
    const auto e = mapped(f, pending_product<T, R, D>(result));
    using U = typename std::remove_cvref_t<decltype(e)>::value_type;
    const auto y = tensor<U, R, D>::uninitialized(result);
    const auto c = [&] {
        if constexpr (std::is_same_v<T, U>) return tensor<T, Q, D>(y.memory(), y.data(), full, row_major(full));
        else return tensor<T, Q, D>::uninitialized(full);
    }();
    const auto leaves = leaves_of(e);
    const auto sweep = value_sweep<decltype(product_leaf_types(leaves))>(make_tree(e));
    unpack([&](const auto*... x) { executor<D>::matmul_map(sweep, a, b, c, y, product_leaf(*x)...); }, leaves);
    return y;
}

}  // namespace detail
}  // namespace ricci
