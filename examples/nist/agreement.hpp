// How many digits of a fit agree with the certified values, and how many double precision can give.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "dataset.hpp"
#include "levenberg_marquardt.hpp"

namespace nist {

/// NIST certifies 11 digits; more cannot be seen.
inline constexpr double certified_digits = 11;

/// The log relative error -log10 |value - certified| / |certified|, from 0 to the 11 digits that are certified; 0 for
/// NaN.
inline double digits_of_agreement(double value, double certified) {
    if (value == certified) return certified_digits;
    const double digits = -std::log10(std::abs(value - certified) / std::abs(certified));
    return digits > 0 ? std::min(digits, certified_digits) : 0;
}

struct agreement {
    std::vector<double> parameters, deviations;  ///< digits of each
    double sum_of_squares = 0;
    double worst_parameter = certified_digits, worst_deviation = certified_digits;
    double attainable_parameter = certified_digits;  ///< digits that rounding leaves the worst parameter
    double attainable_deviation = certified_digits;  ///< digits that rounding leaves the residuals
};

inline agreement compare(const fit& found, const dataset& set) {
    agreement a;
    double largest = 0;
    for (double y : set.y) largest = std::max(largest, std::abs(y));
    const double noise = 2 * std::numeric_limits<double>::epsilon() * largest;
    for (std::size_t j = 0; j < set.parameters; ++j) {
        a.parameters.push_back(digits_of_agreement(found.parameters[j], set.certified[j]));
        a.deviations.push_back(digits_of_agreement(found.deviation[j], set.certified_deviation[j]));
        a.worst_parameter = std::min(a.worst_parameter, a.parameters[j]);
        a.worst_deviation = std::min(a.worst_deviation, a.deviations[j]);
        a.attainable_parameter = std::min(a.attainable_parameter, -std::log10(found.rounding[j]));
    }
    a.sum_of_squares = digits_of_agreement(found.residual_sum_of_squares, set.residual_sum_of_squares);
    a.attainable_deviation = std::min(certified_digits, -std::log10(noise / found.residual_deviation));
    return a;
}

}  // namespace nist
