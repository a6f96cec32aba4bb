// Mathematical functions of numbers and of SIMD registers.
#pragma once
#include "math_special.hpp"
#include "scalar_math.hpp"
#include "simd_arithmetic.hpp"
#include "simd_complex.hpp"
#include "simd_error.hpp"
#include "simd_exponential.hpp"
#include "simd_gamma.hpp"
#include "simd_math.hpp"
#include "simd_pow.hpp"
#include "simd_sine.hpp"
#include "simd_trigonometric.hpp"
