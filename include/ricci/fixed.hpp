// Fixed tensors: small arrays whose extents are in their types.
#pragma once
#include "ricci.hpp"
// The library's functions first, of which those for fixed tensors are overloads.
#include "core/fixed_tensor.hpp"
#include "expr/fixed_structure.hpp"
#include "ops/fixed/index.hpp"
#include "ops/fixed/linalg.hpp"
#include "ops/fixed/map.hpp"
#include "ops/fixed/products.hpp"
#include "ops/fixed/reduce.hpp"
