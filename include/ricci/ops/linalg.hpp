// Linear algebra: ricci::linalg.
#pragma once
#include "linalg/determinant.hpp"
#include "linalg/eigen.hpp"
#include "linalg/exponential.hpp"
#include "linalg/factor.hpp"
#include "linalg/norms.hpp"
#include "linalg/products.hpp"
#include "linalg/solve.hpp"
#include "linalg/svd.hpp"
#include "linalg/toeplitz.hpp"
#include "linalg/banded.hpp"
