// Misra1a of the collection, typed in: what nist_fit fits when it is given no file.
#pragma once
#include "dataset.hpp"

namespace nist {

/// Volume adsorbed against pressure (Misra, Dental Research Monomolecular Adsorption Study, NIST 1978): y = b1 (1 -
/// exp(-b2 x)).
inline dataset misra1a() {
    dataset set;
    set.name = "Misra1a";
    set.observations = 14, set.predictors = 1, set.parameters = 2;
    set.start = {{{500, 0.0001}, {250, 0.0005}}};
    set.certified = {2.3894212918E+02, 5.5015643181E-04};
    set.certified_deviation = {2.7070075241E+00, 7.2668688436E-06};
    set.residual_sum_of_squares = 1.2455138894E-01;
    set.residual_deviation = 1.0187876330E-01;
    set.degrees_of_freedom = 12;
    set.y = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
    set.x = {77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
    return set;
}

}  // namespace nist
