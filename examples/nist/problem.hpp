// A data set and its model as a least squares problem: the Jacobian of its predictions comes from jacfwd.
#pragma once
#include <ricci/ops/elementwise/atan.hpp>
#include <ricci/ricci.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dataset.hpp"
#include "levenberg_marquardt.hpp"
#include "models.hpp"

namespace nist {

/// The residuals and the Jacobian at a vector of parameters.
using linearizer = std::function<linearization(const std::vector<double>&)>;

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

/// The linearizer of one model: the predictions of all observations are one expression of the parameters, and jacfwd
/// pushes one tangent through it for each parameter.
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

/// The linearizer of the model that `set.name` names. Throws ricci::value_error when there is none, or when the data
/// set does not have the model's numbers of parameters and predictors.
inline linearizer linearize(const dataset& set) {
    return models::visit(set.name, [&](const auto& model) {
        if (set.parameters != model.parameters || set.predictors != model.predictors)
            throw ricci::value_error("the model of " + set.name + " has " + std::to_string(model.parameters) +
                                     " parameters and " + std::to_string(model.predictors) +
                                     " predictors, the data set " + std::to_string(set.parameters) + " and " +
                                     std::to_string(set.predictors));
        return linearize(model, set);
    });
}

}  // namespace nist
