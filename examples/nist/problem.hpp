// A data set and its model as a least squares problem: predictions and Jacobian come from vmap of value_and_grad.
#pragma once
#include <ricci/ricci.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dataset.hpp"
#include "levenberg_marquardt.hpp"
#include "models.hpp"

namespace nist {

/// The residuals and the Jacobian at a vector of parameters.
using linearizer = std::function<linearization(const std::vector<double>&)>;

namespace detail {

inline ricci::tensor<double, 1> as_tensor(const std::vector<double>& values) {
    ricci::tensor<double, 1> t = ricci::empty<double>({static_cast<ricci::index_t>(values.size())});
    std::copy(values.begin(), values.end(), t.data());
    return t;
}

}  // namespace detail

/// The linearizer of one model: a row of the Jacobian is the gradient of one prediction, and vmap runs over the rows of
/// x.
template <class Model>
linearizer linearize(const Model& model, const dataset& set) {
    const auto rows = static_cast<ricci::index_t>(set.observations);
    auto x = [&] {
        if constexpr (Model::predictors == 1)
            return detail::as_tensor(set.x);
        else
            return ricci::reshape(detail::as_tensor(set.x), {rows, Model::predictors});
    }();
    auto predict = ricci::vmap(ricci::value_and_grad(model), ricci::in_axes(ricci::none, 0));
    return [predict, x, y = set.y](const std::vector<double>& parameters) {
        const auto [values, gradients] = predict(detail::as_tensor(parameters), x);
        linearization at{y, matrix(y.size(), parameters.size())};
        for (std::size_t i = 0; i < y.size(); ++i) {
            at.residual[i] -= values.at(i);
            for (std::size_t j = 0; j < parameters.size(); ++j) at.jacobian(i, j) = gradients.at(i, j);
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
