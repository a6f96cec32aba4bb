// A model's residuals and Jacobian by the library: the predictions are one expression, jacfwd differentiates it.
#pragma once
#include <ricci/ricci.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include "problem.hpp"

namespace nist {
namespace detail {

/// The predictor of all observations; where the model has several, one row for each: x(0), x(1).
template <class Model>
auto predictors(const dataset& set) {
    const auto rows = static_cast<ricci::index_t>(set.observations);
    if constexpr (Model::predictors == 1)
        return ricci::from_span(std::span(set.x));
    else
        return ricci::permute(ricci::from_span(std::span(set.x), ricci::shape<2>{rows, Model::predictors}), {1, 0});
}

}  // namespace detail

/// The predictions of all observations are one expression of the parameters, and jacfwd pushes one tangent through it
/// for each parameter.
template <class Model>
linearizer linearize(const Model& model, const dataset& set) {
    auto predict = [model, x = detail::predictors<Model>(set)](const auto& b) { return model(b, x); };
    return [predict, y = set.y](const std::vector<double>& parameters) {
        const auto b = ricci::from_span(std::span(parameters));
        const ricci::tensor<double, 1> values = predict(b);
        const ricci::tensor<double, 2> jacobian = ricci::jacfwd(predict)(b);
        linearization at{y, matrix(y.size(), parameters.size())};
        for (std::size_t i = 0; i < y.size(); ++i) {
            at.residual[i] -= values.at(i);
            for (std::size_t j = 0; j < parameters.size(); ++j) at.jacobian(i, j) = jacobian.at(i, j);
        }
        return at;
    };
}

}  // namespace nist
