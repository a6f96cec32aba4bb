// Determinants: det, slogdet.
#pragma once
#include "solve.hpp"

namespace ricci {
namespace detail {

/// The derivative of a's matrix of cofactors along b.
template <class A, class B>
auto cofactor_change(const A& a, const B& b);

/// The matrix of cofactors: the derivative of the determinant, singular or not.
struct cofactor_op : matrix_op<cofactor_op> {
    static constexpr const char* name = "det";

    template <class A>
    auto value(const A& a) const {
        return computed_in_place(a, [](auto backend, const auto& y) { backend.cofactors(y); });
    }
    // second derivatives are symmetric: the transpose is the op itself
    template <class Active, class A, class Y, class C>
    auto adjoints(const pack<const A*>& inputs, const pack<Y>&, const pack<C>& bars) const {
        return make_pack(cofactor_change(*get<0>(inputs), get<0>(bars)));
    }
    template <class Active, class A, class Y, class D>
    auto tangents(const pack<const A*>& inputs, const pack<Y>&, const pack<const D*>& dots) const {
        return make_pack(cofactor_change(*get<0>(inputs), *get<0>(dots)));
    }
};

/// The derivative of A's matrix of cofactors along B: det(A) (tr(W B) W - W B W)^T with W = A^-1, singular or not. Its
/// own derivative by A needs the inverse.
struct cofactor_change_op : matrix_op<cofactor_change_op> {
    static constexpr const char* name = "det";

    template <class A, class B>
    auto value(const A& a, const B& b) const {
        return computed_in_place(b, [&](auto backend, const auto& y) { backend.cofactor_changes(a.clone(), y); });
    }
    template <class Active, class A, class B, class Y, class C>
    auto adjoints(const pack<const A*, const B*>& inputs, const pack<Y>&, const pack<C>& bars) const {
        return two_adjoints<Active>([&] { return change(*get<0>(inputs), *get<1>(inputs), get<0>(bars)); },
                                    [&] { return call1(*this, *get<0>(inputs), get<0>(bars)); });
    }
    template <class Active, class A, class B, class Y, class... D>
    auto tangents(const pack<const A*, const B*>& inputs, const pack<Y>&, const pack<const D*...>& dots) const {
        const auto& a = *get<0>(inputs);
        const auto& b = *get<1>(inputs);
        if constexpr (Active::at[0] && Active::at[1])
            return make_pack(evaluate(change(a, b, *get<0>(dots)) + call1(*this, a, *get<1>(dots))));
        else if constexpr (Active::at[0]) return make_pack(change(a, b, *get<0>(dots)));
        else return make_pack(call1(*this, a, *get<0>(dots)));
    }

   private:
    /// The derivative of tr(W B) K - T B^T K by A along C, where K are the cofactors and T is W^T.
    template <class A, class B, class C>
    auto change(const A& a, const B& b, const C& c) const {
        const auto t = matrix_transpose(inverse_of(a));
        const auto k = call1(cofactor_op{}, a);
        const auto k_dot = call1(*this, a, c);
        const auto tb = product(t, matrix_transpose(b));
        const auto tc = product(t, matrix_transpose(c));
        const auto t_dot = product(tc, t);  // but for its sign
        const auto along = sum(t * b, {-2, -1}, keepdims);
        const auto along_dot = sum(t_dot * b, {-2, -1}, keepdims);
        return evaluate(along * k_dot - along_dot * k + product(tc, tb, k) - product(tb, k_dot));
    }
};
template <class A, class B>
auto cofactor_change(const A& a, const B& b) {
    return call1(cofactor_change_op{}, a, b);
}

struct det_op : matrix_op<det_op> {
    static constexpr const char* name = "det";

    template <class A>
    auto value(const A& a) const {
        using D = typename A::device_type;
        want_linalg<D>();
        auto y = tensor<typename A::value_type, A::rank - 2, D>::uninitialized(batch_shape(a.shape()));
        linalg_backend<D>::determinants(a, y.data());
        return make_pack(y);
    }
    template <class Active, class A, class Y, class C>
    auto adjoints(const pack<const A*>& inputs, const pack<Y>&, const pack<C>& bars) const {
        return make_pack(evaluate(as_matrix(get<0>(bars)) * call1(cofactor_op{}, *get<0>(inputs))));
    }
    template <class Active, class A, class Y, class D>
    auto tangents(const pack<const A*>& inputs, const pack<Y>&, const pack<const D*>& dots) const {
        return make_pack(evaluate(sum(call1(cofactor_op{}, *get<0>(inputs)) * *get<0>(dots), {-2, -1})));
    }
};

/// The determinant's sign (of complex matrices a number of absolute value 1) and the logarithm of its absolute value.
struct slogdet_op : matrix_op<slogdet_op> {
    static constexpr const char* name = "slogdet";

    template <class A>
    auto value(const A& a) const {
        return factored_value(a, a.clone(), nullptr);
    }
    template <class W, class A>
    auto saved(const A& a) const {
        if constexpr (std::is_void_v<typename A::wrapper>) {
            const factored_inverse inverse(a.clone(), "inv");
            const auto y = factored_value(a, inverse.lu, inverse.swaps.data());
            return factored_op<W, slogdet_op, std::remove_cvref_t<decltype(y)>,
                               std::remove_cvref_t<decltype(inverse.lu)>>{{}, *this, inverse, y};
        } else {
            return matrix_op<slogdet_op>::template saved<W>(a);
        }
    }
    /// Of a copy of A, which becomes its factors.
    template <class A, class Copy>
    auto factored_value(const A& a, const Copy& factors, index_t* swaps) const {
        using D = typename A::device_type;
        using T = typename A::value_type;
        want_linalg<D>();
        auto sign = tensor<T, A::rank - 2, D>::uninitialized(batch_shape(a.shape()));
        auto logarithm = tensor<real_t<T>, A::rank - 2, D>::uninitialized(batch_shape(a.shape()));
        linalg_backend<D>::log_determinants(factors, sign.data(), logarithm.data(), swaps);
        return make_pack(sign, logarithm);
    }
    /// With z = tr(A^-1 A_dot), log|det| moves by Re z, and the sign by i Im z of itself.
    template <class Active, class A, class S, class L, class SBar, class LBar>
    auto adjoints(const pack<const A*>& inputs, const pack<S, L>& y, const pack<SBar, LBar>& bars) const {
        return adjoints_by<Active>(transposed_inverse<A>{*get<0>(inputs)}, inputs, y, bars);
    }
    template <class Active, class Inverse, class A, class S, class L, class SBar, class LBar>
    auto adjoints_by(const Inverse& inverse, const pack<const A*>& inputs, const pack<S, L>& y,
                     const pack<SBar, LBar>& bars) const {
        const auto batch = batch_shape(get<0>(inputs)->shape());
        const auto log_bar = whole_cotangent(get<1>(bars), batch);
        const auto turned = inverse.matrix();
        if constexpr (is_complex_v<typename A::value_type>) {
            const auto turn = imag(whole_cotangent(get<0>(bars), batch) * get<0>(y));
            return make_pack(evaluate(as_matrix(evaluate(complex(log_bar, turn))) * turned));
        } else {
            return make_pack(evaluate(as_matrix(log_bar) * turned));
        }
    }
    template <class Active, class A, class S, class L, class D>
    auto tangents(const pack<const A*>& inputs, const pack<S, L>& y, const pack<const D*>& dots) const {
        const auto z = evaluate(sum(matrix_transpose(inverse_of(*get<0>(inputs))) * *get<0>(dots), {-2, -1}));
        using T = typename A::value_type;
        if constexpr (is_complex_v<T>) return make_pack(evaluate(get<0>(y) * (imag(z) * T(0, 1))), evaluate(real(z)));
        else return make_pack(evaluate(z * T(0)), z);
    }
};

}  // namespace detail

namespace linalg {

/// The determinant of the square matrices in the last two axes; 1 of empty ones. The derivative is the matrix of
/// cofactors, of singular matrices too, as the second one is; derivatives of higher order need the inverse.
template <expression A>
auto det(const A& a) {
    return detail::call1(detail::det_op{}, detail::square_argument(a, "det"));
}
/// The result of slogdet: for bindings, std::get and std::tie as a tuple is.
template <class Sign, class Logarithm>
struct slogdet_result {
    using ricci_named = void;
    Sign sign;
    Logarithm logabsdet;
    friend auto members(const slogdet_result& y) { return std::tie(y.sign, y.logabsdet); }
    operator std::tuple<Sign&, Logarithm&>() { return {sign, logabsdet}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
/// The sign of the determinant (of complex matrices det / |det|) and log |det|, which neither overflow nor underflow.
/// Of a singular matrix 0 and -inf; its derivative throws linalg_error.
template <expression A>
auto slogdet(const A& a) {
    return detail::named<slogdet_result>(detail::call(detail::slogdet_op{}, detail::square_argument(a, "slogdet")));
}

}  // namespace linalg
}  // namespace ricci
