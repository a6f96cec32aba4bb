// What scientific programs need and ricci.hpp, which all others parse too, does not have: functions of matrices
// (linalg::sqrtm logm solve_sylvester solve_continuous_lyapunov solve_discrete_lyapunov null_space orth), quadrature
// (cumulative_simpson romb gauss_legendre fixed_quad), curves through points (cubic_spline cubic_hermite_spline pchip
// akima), values between a grid's (interpn map_coordinates), special functions (orthogonal polynomials, airy_ai,
// spherical_jn spherical_yn lambertw gammaincinv gammainccinv betaincinv betainccinv), and sparse systems by their
// factors (spsolve).
#pragma once
#include "ricci.hpp"
//
#include "grad/sparse_solve.hpp"
#include "ops/interpolate/grids.hpp"
#include "ops/interpolate/splines.hpp"
#include "ops/linalg/matrix_functions.hpp"
#include "ops/linalg/subspaces.hpp"
#include "ops/quadrature.hpp"
#include "ops/special/airy.hpp"
#include "ops/special/betaincinv.hpp"
#include "ops/special/gammaincinv.hpp"
#include "ops/special/lambertw.hpp"
#include "ops/special/orthogonal_polynomials.hpp"
#include "ops/special/spherical_bessel.hpp"
