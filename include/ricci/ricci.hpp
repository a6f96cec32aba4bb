// Ricci: tensor calculus. This header is the CPU library; ricci/cuda.hpp adds the GPU.
#pragma once
#include "core/tensor.hpp"
#include "cpu/executor.hpp"
#include "expr/assign.hpp"
#include "expr/index.hpp"
#include "ops/contract.hpp"
#include "ops/create.hpp"
#include "ops/elementwise.hpp"
#include "ops/reduce.hpp"
#include "ops/shape.hpp"
#include "grad/transforms.hpp"
#include "grad/variable.hpp"
#include "vmap/vmap.hpp"
