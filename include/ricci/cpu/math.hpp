// Mathematical functions of numbers and of SIMD registers.
#pragma once
#include "math/complex.hpp"
#include "math/error_function.hpp"
#include "math/exponential.hpp"
#include "math/exponential_relatives.hpp"
#include "math/gamma.hpp"
#include "math/pow.hpp"
#include "math/scalar.hpp"
#include "math/sine.hpp"
#include "math/special.hpp"
#include "math/trigonometric.hpp"
#include "simd/arithmetic.hpp"
#include "simd/complex.hpp"
