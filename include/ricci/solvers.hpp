// What iterates, which ricci.hpp, that all others parse too, does not have: minimize, least_squares, curve_fit and root
// (ricci::optimize), odeint, the solution of ordinary differential equations, quad, integrals to a tolerance, all of
// structures of arrays and differentiable in their parameters, and the optimizers that train by gradients, sgd adam
// adamw rmsprop adagrad (ricci::optim).
#pragma once
#include "ricci.hpp"
//
#include "solvers/curve_fit.hpp"
#include "solvers/least_squares.hpp"
#include "solvers/minimize.hpp"
#include "solvers/odeint.hpp"
#include "solvers/optim.hpp"
#include "solvers/quad.hpp"
