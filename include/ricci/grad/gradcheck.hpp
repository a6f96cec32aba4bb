// gradcheck: a user's derivatives against central differences.
#pragma once
#include <array>
#include <cmath>
#include <vector>

#include "transforms.hpp"

namespace ricci {

/// The step of the differences, and how far a derivative d may be from a difference e: |d - e| <= atol + rtol |e|. (The
/// defaults are PyTorch's, for arguments of about 1 in double precision.)
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
/// The real numbers of a plain dense array on the CPU.
template <class A>
auto parts_of(const A& a) {
    static_assert(std::is_same_v<typename A::device_type, cpu_device>);
    return reinterpret_cast<real_t<typename A::value_type>*>(without_const(a).data());
}
/// A dense copy on the CPU, whose numbers may be changed.
template <class A>
auto copy_on_cpu(const A& a) {
    return a.to(cpu_device{}).clone();
}
/// The elements of an array of any shape, in row-major order, as real numbers.
template <class A>
std::vector<double> flat_values(const A& a) {
    using T = std::conditional_t<is_complex_v<typename A::value_type>, std::complex<double>, double>;
    const auto dense = copy_on_cpu(evaluate(astype<T>(a)));
    return {parts_of(dense), parts_of(dense) + parts_v<T> * dense.size()};
}
/// The same of all arrays of a structure, one after the other.
template <class S>
std::vector<double> flat_numbers(const S& results) {
    std::vector<double> all;
    structure<S>::arrays(results).apply([&](const auto&... a) {
        const auto append = [&](const std::vector<double>& more) {
            for (const double number : more) all.push_back(number);
        };
        (append(flat_values(a)), ...);
    });
    return all;
}

/// The derivatives of all outputs by one real number of the arguments: the part of an element.
struct difference_row {
    std::size_t argument;
    index_t element;
    std::vector<double> outputs;

    /// Refuses the derivative of an output that is not the difference.
    void check(double d, std::size_t output, const gradcheck_options& options, const char* mode) const {
        const double difference = outputs[output];
        if (std::fabs(d - difference) <= options.atol + options.rtol * std::fabs(difference)) return;
        raise<gradient_error>({"[gradcheck] ", mode, ": the derivative of output element ",
                               static_cast<index_t>(output), " by element ", element, " of argument ", argument, " is ",
                               d, ", differences give ", difference});
    }
};
/// For each number of each argument, in their order.
using difference_table = std::vector<difference_row>;

/// Number j of argument i, of dense arrays of doubles.
template <class... X>
double& number_at(const std::tuple<X...>& arguments, std::size_t i, index_t j) {
    return std::apply([&](const auto&... x) { return std::array{parts_of(x)...}; }, arguments)[i][j];
}
/// Central differences.
template <class F, class... X>
difference_table differences_of(const F& f, const std::tuple<X...>& inputs, double step) {
    const auto at = [&](std::size_t i, index_t j, double by) {
        const auto moved = std::apply([](const auto&... x) { return std::make_tuple(copy_on_cpu(x)...); }, inputs);
        number_at(moved, i, j) += by;
        return flat_numbers(
            std::apply([&](const auto&... x) { return evaluate_result(f(x.to(device_t<X>{})...)); }, moved));
    };
    const auto sizes = std::apply(
        [](const auto&... x) { return std::array{(parts_v<typename X::value_type> * x.size())...}; }, inputs);
    difference_table rows;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        for (index_t j = 0; j < sizes[i]; ++j) {
            auto row = at(i, j, step);
            const auto below = at(i, j, -step);
            for (std::size_t k = 0; k < row.size(); ++k) row[k] = (row[k] - below[k]) / (2 * step);
            rows.push_back({i, j, row});
        }
    }
    return rows;
}

template <class X>
X zeros_of(const X& x) {
    return constant_array<X>(x.shape(), 0);
}
template <class F, class... X>
void check_backward(const F& f, const std::tuple<X...>& inputs, const difference_table& expected,
                    const gradcheck_options& options) {
    const auto pair = std::apply([&](const auto&... x) { return vjp(f, x...); }, inputs);
    const auto& value = std::get<0>(pair);
    using S = structure<std::remove_cvref_t<decltype(value)>>;
    const auto arrays = S::arrays(value);
    std::size_t output = 0;
    for_indices<S::count>([&](auto r) {
        const auto& y = get<r()>(arrays);
        using Y = std::remove_cvref_t<decltype(y)>;
        const index_t n = parts_v<typename Y::value_type> * y.size();
        for (index_t k = 0; k < n; ++k, ++output) {
            const auto units = map_arrays(value, [](const auto& a) { return zeros_of(copy_on_cpu(a)); });
            parts_of(get<r()>(structure<std::remove_cvref_t<decltype(units)>>::arrays(units)))[k] = 1;
            const auto bars = map_arrays(units, [](const auto& a) { return a.to(device_t<Y>{}); });
            const auto adjoints = flat_numbers(std::get<1>(pair)(bars));
            for (std::size_t j = 0; j < expected.size(); ++j)
                expected[j].check(adjoints[j], output, options, "backward");
        }
    });
}
template <class F, class... X>
void check_forward(const F& f, const std::tuple<X...>& inputs, const difference_table& expected,
                   const gradcheck_options& options) {
    for (const auto& row : expected) {
        const auto unit =
            std::apply([&](const auto&... x) { return std::make_tuple(zeros_of(copy_on_cpu(x))...); }, inputs);
        number_at(unit, row.argument, row.element) = 1;
        const auto direction =
            std::apply([](const auto&... x) { return std::make_tuple(x.to(device_t<X>{})...); }, unit);
        const auto tangent = flat_numbers(std::get<1>(jvp(f, inputs, direction)));
        for (std::size_t k = 0; k < tangent.size(); ++k) row.check(tangent[k], k, options, "forward");
    }
}

}  // namespace detail

/// Compares the derivatives of f, backward and forward, with central differences: every element of the result by every
/// element of every argument. Arguments: a tuple of arrays of doubles, where f is smooth. The result is an array or a
/// structure of arrays, whose elements are counted one array after the other. Complex elements are two numbers each,
/// the real part and the imaginary one, and counted so. True, or throws gradient_error, which names the first element
/// that differs and both numbers. (torch.autograd.gradcheck.)
template <gradcheck_mode Mode = gradcheck_mode::both, class F, class... X>
bool gradcheck(F f, const std::tuple<X...>& inputs, gradcheck_options options = {}) {
    static_assert((std::is_same_v<real_t<typename X::value_type>, double> && ...),
                  "ricci: gradcheck needs arguments of doubles: differences of floats tell nothing");
    if constexpr ((X::is_array && ...)) {
        const auto expected = detail::differences_of(f, inputs, options.step);
        if constexpr (Mode != gradcheck_mode::forward) detail::check_backward(f, inputs, expected, options);
        if constexpr (Mode != gradcheck_mode::backward) detail::check_forward(f, inputs, expected, options);
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
    using Y = std::remove_cvref_t<decltype(value)>;
    const auto numbers = detail::copy_on_cpu(value);
    for (index_t k = 0; k < numbers.size(); ++k) {
        using T = typename Y::value_type;
        numbers.data()[k] = T(1 + 0.25 * static_cast<double>(k % 3));
        if constexpr (is_complex_v<T>) numbers.data()[k] *= T(0.8, 0.6);
    }
    const auto cotangent = numbers.to(device_t<Y>{});
    // all adjoints together: one function to compile
    return gradcheck<Mode>([&](const auto&... v) { return std::get<1>(vjp(f, v...))(cotangent); }, inputs, options);
}

template <gradcheck_mode Mode = gradcheck_mode::both, class F, expression X>
bool gradgradcheck(F f, const X& x, gradcheck_options options = {}) {
    return gradgradcheck<Mode>(f, std::make_tuple(evaluate(x)), options);
}

}  // namespace ricci
