// Inputs of GradBench's problems that any language makes alike: tests/golden/make_gradbench.py has the same function.
#pragma once
#include <cstdint>

#include <ricci/ricci.hpp>

namespace gradbench {

namespace rc = ricci;
using rc::index_t;

/// Number i of sequence `seed`, uniform in [0, 1): SplitMix64's output function (Steele, Lea, Flood 2014) of a counter.
inline double uniform_number(std::uint64_t seed, std::uint64_t i) {
    std::uint64_t z = (seed << 32) + i;
    z = (z + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1p-53;
}
template <int R>
rc::tensor<double, R> uniform(const rc::shape<R>& extents, std::uint64_t seed, double low = 0, double high = 1) {
    const auto x = rc::empty<double>(extents);
    for (index_t i = 0; i < x.size(); ++i)
        x.data()[i] = low + (high - low) * uniform_number(seed, static_cast<std::uint64_t>(i));
    return x;
}

}  // namespace gradbench
