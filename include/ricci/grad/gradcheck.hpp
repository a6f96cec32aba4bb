// gradcheck: a user's derivatives against central differences.
#pragma once
#include <cmath>
#include <vector>

#include "transforms.hpp"

namespace ricci {

/// The step of the differences, and how far a derivative d may be from a difference e: |d - e| <= atol + rtol |e|. (The defaults
/// are PyTorch's, for arguments of about 1 in double precision.)
struct gradcheck_options {
    double step = 1e-6;
    double atol = 1e-5;
    double rtol = 1e-3;
};
/// Which derivatives gradcheck compares with differences: those of vjp, of jvp, or of both.
enum class gradcheck_mode { both, backward, forward };

namespace detail {

/// How many real numbers an element is: a complex one's parts stand side by side.
template <class T>
inline constexpr int parts_v = is_complex_v<T> ? 2 : 1;
/// The real numbers of a plain dense array.
template <class A>
auto parts_of(const A& a) {
    return reinterpret_cast<real_t<typename A::value_type>*>(without_const(a).data());
}
/// The elements of an array of any shape, in row-major order, as real numbers.
template <class A>
std::vector<double> flat_values(const A& a) {
    using T = std::conditional_t<is_complex_v<typename A::value_type>, std::complex<double>, double>;
    const auto dense = evaluate(astype<T>(a)).clone();
    return {parts_of(dense), parts_of(dense) + parts_v<T> * dense.size()};
}
/// Refuses derivatives of all outputs by one element of an argument, or of one output by all, that are not the differences.
inline void check_derivative(double d, double difference, const gradcheck_options& options, const char* mode,
                             index_t output, std::size_t argument, index_t element) {
    if (std::fabs(d - difference) <= options.atol + options.rtol * std::fabs(difference)) return;
    raise<gradient_error>({"[gradcheck] ", mode, ": the derivative of output element ", output, " by element ", element,
                           " of argument ", argument, " is ", std::to_string(d).c_str(), ", differences give ",
                           std::to_string(difference).c_str()});
}

/// table[j][k]: the derivative of output element k by element j of an argument, of complex ones of the parts.
using difference_table = std::vector<std::vector<double>>;
/// The central differences for argument I.
template <std::size_t I, class F, class... X>
difference_table differences_of(const F& f, const std::tuple<X...>& inputs, double step) {
    const auto at = [&](index_t j, double by) {
        auto moved = std::apply([](const auto&... x) { return std::make_tuple(x.clone()...); }, inputs);
        parts_of(std::get<I>(moved))[j] += by;
        return flat_values(std::apply([&](const auto&... x) { return evaluate_result(f(x...)); }, moved));
    };
    difference_table columns;
    using X_I = std::tuple_element_t<I, std::tuple<X...>>;
    for (index_t j = 0; j < parts_v<typename X_I::value_type> * std::get<I>(inputs).size(); ++j) {
        auto column = at(j, step);
        const auto below = at(j, -step);
        for (std::size_t k = 0; k < column.size(); ++k) column[k] = (column[k] - below[k]) / (2 * step);
        columns.push_back(column);
    }
    return columns;
}

template <class X>
X zeros_of(const X& x) {
    return constant_array<X>(x.shape(), 0);
}
template <std::size_t I, class F, class... X>
void check_backward(const F& f, const std::tuple<X...>& inputs, const difference_table& expected,
                    const gradcheck_options& options) {
    const auto pair = std::apply([&](const auto&... x) { return vjp(f, x...); }, inputs);
    const auto& value = std::get<0>(pair);
    for (index_t k = 0; k < parts_v<typename std::remove_cvref_t<decltype(value)>::value_type> * value.size(); ++k) {
        const auto bar = zeros_of(value);
        parts_of(bar)[k] = 1;
        const auto adjoint = flat_values([&] {
            const auto adjoints = std::get<1>(pair)(bar);
            if constexpr (sizeof...(X) == 1) return adjoints;
            else return std::get<I>(adjoints);
        }());
        for (std::size_t j = 0; j < expected.size(); ++j)
            check_derivative(adjoint[j], expected[j][static_cast<std::size_t>(k)], options, "backward", k, I,
                             static_cast<index_t>(j));
    }
}
template <std::size_t I, class F, class... X>
void check_forward(const F& f, const std::tuple<X...>& inputs, const difference_table& expected,
                   const gradcheck_options& options) {
    for (std::size_t j = 0; j < expected.size(); ++j) {
        const auto direction = std::apply([&](const auto&... x) { return std::make_tuple(zeros_of(x)...); }, inputs);
        parts_of(std::get<I>(direction))[j] = 1;
        const auto tangent = flat_values(std::get<1>(jvp(f, inputs, direction)));
        for (std::size_t k = 0; k < tangent.size(); ++k)
            check_derivative(tangent[k], expected[j][k], options, "forward", static_cast<index_t>(k), I,
                             static_cast<index_t>(j));
    }
}

template <gradcheck_mode Mode, std::size_t I, class F, class... X>
void check_argument(const F& f, const std::tuple<X...>& inputs, const gradcheck_options& options) {
    const auto expected = differences_of<I>(f, inputs, options.step);
    if constexpr (Mode != gradcheck_mode::forward) check_backward<I>(f, inputs, expected, options);
    if constexpr (Mode != gradcheck_mode::backward) check_forward<I>(f, inputs, expected, options);
}

}  // namespace detail

/// Compares the derivatives of f (arrays to one array), backward and forward, with central differences: every element of the
/// result by every element of every argument. Arguments: a tuple of arrays of doubles, where f is smooth. Complex elements are
/// two numbers each, the real part and the imaginary one, and counted so. True, or throws gradient_error, which names the first
/// element that differs and both numbers. (torch.autograd.gradcheck.)
template <gradcheck_mode Mode = gradcheck_mode::both, class F, class... X>
bool gradcheck(F f, const std::tuple<X...>& inputs, gradcheck_options options = {}) {
    static_assert((std::is_same_v<real_t<typename X::value_type>, double> && ...),
                  "ricci: gradcheck needs arguments of doubles: differences of floats tell nothing");
    if constexpr ((X::is_array && ...)) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::check_argument<Mode, I>(f, inputs, options), ...);
        }(std::index_sequence_for<X...>{});
        return true;
    } else {
        return gradcheck<Mode>(f, std::apply([](const auto&... x) { return std::make_tuple(evaluate(x)...); }, inputs),
                               options);
    }
}

/// Of one array.
template <gradcheck_mode Mode = gradcheck_mode::both, class F, expression X>
bool gradcheck(F f, const X& x, gradcheck_options options = {}) {
    return gradcheck<Mode>(f, std::make_tuple(evaluate(x)), options);
}

/// The same for second derivatives: checks the pullback of f along a fixed cotangent. (torch.autograd.gradgradcheck.)
template <gradcheck_mode Mode = gradcheck_mode::both, class F, class... X>
bool gradgradcheck(F f, const std::tuple<X...>& inputs, gradcheck_options options = {}) {
    const auto value = std::apply([&](const auto&... x) { return evaluate(f(x...)); }, inputs);
    const auto cotangent = detail::constant_array<std::remove_cvref_t<decltype(value)>>(value.shape(), 0);
    for (index_t k = 0; k < cotangent.size(); ++k) {
        using T = typename std::remove_cvref_t<decltype(value)>::value_type;
        cotangent.data()[k] = T(1 + 0.25 * static_cast<double>(k % 3));
        if constexpr (is_complex_v<T>) cotangent.data()[k] *= T(0.8, 0.6);
    }
    return std::apply(
        [&](const auto&... x) {
            // one argument's adjoint at a time: a pullback of several gives a tuple
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                const auto adjoint = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
                    return [&](const auto&... v) {
                        const auto adjoints = std::get<1>(vjp(f, v...))(cotangent);
                        if constexpr (sizeof...(X) == 1) return adjoints;
                        else return std::get<K>(adjoints);
                    };
                };
                return (gradcheck<Mode>(adjoint(std::integral_constant<std::size_t, I>{}), std::make_tuple(x...),
                                        options) &&
                        ...);
            }(std::index_sequence_for<X...>{});
        },
        inputs);
}

template <gradcheck_mode Mode = gradcheck_mode::both, class F, expression X>
bool gradgradcheck(F f, const X& x, gradcheck_options options = {}) {
    return gradgradcheck<Mode>(f, std::make_tuple(evaluate(x)), options);
}

}  // namespace ricci
