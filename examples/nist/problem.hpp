// A data set as a least squares problem: its model, chosen by name, gives the residuals and the Jacobian.
#pragma once
#include <ricci/core/error.hpp>

#include <functional>
#include <string>
#include <vector>

#include "dataset.hpp"
#include "levenberg_marquardt.hpp"
#include "models.hpp"

namespace nist {

/// The residuals and the Jacobian at a vector of parameters.
using linearizer = std::function<linearization(const std::vector<double>&)>;

/// The linearizer of one model; linearize.hpp has the definition.
template <class Model>
linearizer linearize(const Model& model, const dataset& set);

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
