// Linear algebra: ricci::linalg.
#pragma once
#include "contract/products.hpp"
#include "linalg/banded.hpp"
#include "linalg/determinant.hpp"
#include "linalg/eigen.hpp"
#include "linalg/exponential.hpp"
#include "linalg/factor.hpp"
#include "linalg/norms.hpp"
#include "linalg/products.hpp"
#include "linalg/solve.hpp"
#include "linalg/svd.hpp"
#include "linalg/toeplitz.hpp"
#include "sparse.hpp"

namespace ricci::linalg {
// The products that the array API has in both places.
using ricci::matmul;
using ricci::matrix_transpose;
using ricci::outer;
using ricci::tensordot;
using ricci::vecdot;
}  // namespace ricci::linalg
