// The GPU: tensors on `ricci::cuda`, computed by Thrust. The same code as on the CPU from `x.to(ricci::cuda)` on.
//
// With nvcc this needs `-std=c++20 --expt-relaxed-constexpr` (CMake: ricci::cuda). A function for `map` is then a
// struct with a `__host__ __device__` template operator(), for CUDA does not let generic lambdas into kernels; where
// __device__ is forgotten nvcc only warns (an error with `-Werror cross-execution-space-call`). With any other compiler
// the same backend runs on host threads: define THRUST_DEVICE_SYSTEM as THRUST_DEVICE_SYSTEM_OMP or _CPP (CMake:
// ricci::thrust_host). RICCI_USE_CUBLAS (CMake: ricci::cublas) makes matmul of floating and complex types cuBLAS's;
// Fourier transforms on a GPU need RICCI_USE_CUFFT (ricci::cufft), linear algebra RICCI_USE_CUSOLVER (ricci::cusolver).
#pragma once
#include "cuda/device.hpp"
#include "cuda/executor.hpp"
#include "cuda/linalg.hpp"
#include "ricci.hpp"
