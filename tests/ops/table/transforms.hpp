// Transforms of transforms of a row's function: vmap of its vjp, the vjp of its vmap, and its second order through
// create_graph.
#pragma once
#include "derivatives.hpp"

namespace table {

/// Arrays of one shape, one after the other along a new first axis.
template <class T, int R>
ricci::tensor<T, R + 1> stacked(const std::vector<ricci::tensor<T, R>>& parts) {
    auto all = ricci::tensor<T, R + 1>::uninitialized(
        ricci::detail::prefixed(static_cast<index_t>(parts.size()), parts[0].shape()));
    for (std::size_t i = 0; i < parts.size(); ++i) all(static_cast<index_t>(i)) = parts[i];
    return all;
}

/// Per-example adjoints in both orders, with one cotangent and with one for each example, against the adjoints of each
/// alone.
template <class Row, class Call>
void check_batched_derivatives(const Row& row, const Call& call) {
    constexpr int examples = 3, count = active_arguments_v<Row>;
    const auto masks = smooth_arguments<double>(row);
    const auto f = bind_masks(row, call, masks);
    const auto alone = each<examples>([&](auto m) { return active_of<Row>(smooth_arguments<double>(row, 21 + m())); });
    const auto x = each<count>([&](auto i) {
        return std::apply([&](const auto&... m) { return stacked(std::vector{std::get<i()>(m)...}); }, alone);
    });
    const auto y = std::apply([&](const auto&... a) { return ricci::evaluate(f(a...)); }, std::get<0>(alone));
    const auto w = weights<double>(ricci::detail::prefixed(index_t(examples), y.shape()), 5);
    auto compare = [&](const char* what, const auto& bars, bool own_weights) {
        each<examples>([&](auto m) {
            const auto truth = adjoints(f, std::get<m()>(alone), ricci::evaluate(w(own_weights ? m() : 0)));
            each<count>([&](auto i) {
                CAPTURE(m());
                CAPTURE(i());
                check_near(what, std::get<i()>(bars)(m()), to_dense(std::get<i()>(truth)), 1e-13);
                return 0;
            });
            return 0;
        });
    };
    const auto w0 = ricci::evaluate(w(0));
    const auto pull = [&](const auto&... a) { return std::get<1>(ricci::vjp(f, a...))(w0); };
    compare("vmap of vjp", std::apply([&](const auto&... b) { return as_tuple(ricci::vmap(pull)(b...)); }, x), false);
    compare("vjp of vmap", adjoints(ricci::vmap(f), x, w), true);
}

/// The product of the second derivatives with a direction by backward through recorded gradients, against jvp of vjp.
template <class Row, class Call>
void check_create_graph(const Row& row, const Call& call) {
    const auto all = smooth_arguments<double>(row);
    const auto f = bind_masks(row, call, all);
    const auto x = active_of<Row>(all);
    const auto w =
        weights<double>(std::apply([&](const auto&... a) { return ricci::evaluate(f(a...)).shape(); }, x), 3);
    const auto v = std::apply([](const auto&... a) { return std::make_tuple(weights<double>(a.shape(), 4)...); }, x);
    const auto gradient = [&](const auto&... a) { return as_tuple(std::get<1>(ricci::vjp(f, a...))(w)); };
    const auto truth = as_tuple(std::get<1>(ricci::jvp(gradient, x, v)));

    const auto variables = std::apply(
        [](const auto&... a) {
            return std::make_tuple(ricci::variable<double, std::remove_cvref_t<decltype(a)>::rank>(a)...);
        },
        x);
    const auto y = std::apply([&](const auto&... a) { return ricci::evaluate(f(a...)); }, variables);
    const auto g = ricci::autograd::grad(std::make_tuple(y), variables, std::make_tuple(w), {.create_graph = true});
    each<active_arguments_v<Row>>([&](auto i) {
        const auto& part = std::get<i()>(g);
        if (part.requires_grad()) ricci::backward(part, std::get<i()>(v), {.retain_graph = true});
        return 0;
    });
    each<active_arguments_v<Row>>([&](auto i) {
        CAPTURE(i());
        check_near("create_graph", std::get<i()>(variables).grad(), to_dense(std::get<i()>(truth)), 1e-12);
        return 0;
    });
}

}  // namespace table
