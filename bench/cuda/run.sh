#!/bin/sh
# Builds the GPU's table for the present GPU, runs it, and then what PyTorch and JAX take for the same rows, where they are installed.
#   bench/cuda/run.sh [directory for the programs]
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$root/build/cuda-bench}
mkdir -p "$out"
for name in maps libraries; do
    "${NVCC:-nvcc}" -std=c++20 -arch=native -O3 -DNDEBUG --extended-lambda --expt-relaxed-constexpr -Xcompiler=-march=native \
        -DRICCI_USE_CUBLAS -DRICCI_USE_CUFFT -DRICCI_USE_CUSOLVER -I"$root/include" -I"$root/bench/cuda" \
        "$root/bench/cuda/$name.cu" -o "$out/$name" -lcublas -lcufft -lcusolver
done
"$out/maps"
"$out/libraries"
if python3 -c 'import torch, jax' 2>/dev/null; then python3 "$root/bench/cuda/peers.py"; fi
