// Arrays for the tests of kernels.
#pragma once
#include <ricci/ricci.hpp>

/// Small whole numbers: sums are exact in any order.
template <class T, int R>
ricci::tensor<T, R> numbers(const ricci::shape<R>& extents, ricci::index_t start = 3) {
    auto x = ricci::tensor<T, R>::uninitialized(extents);
    for (ricci::index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 7 + start) % 13 - 5);
    return x;
}
