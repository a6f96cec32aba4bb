// The inputs of a row as the peers' own containers.
#pragma once
#include "bench.hpp"

#if RICCI_BENCH_EIGEN
#include <Eigen/Core>
#endif
#if RICCI_BENCH_XTENSOR
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#endif

namespace bench {

#if RICCI_BENCH_EIGEN
using eigen_matrix = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
inline auto eigen_vector(int k, index_t n) { return Eigen::Map<const Eigen::ArrayXf>(input(k, n).data(), n); }
inline auto eigen_array(int k, index_t rows, index_t columns) {
    return Eigen::Map<const eigen_matrix>(input(k, rows * columns).data(), rows, columns);
}
#endif

#if RICCI_BENCH_XTENSOR
inline xt::xtensor<float, 1> xtensor_like(index_t n) {
    return xt::xtensor<float, 1>(std::array<std::size_t, 1>{static_cast<std::size_t>(n)});
}
inline xt::xtensor<float, 1> xtensor_vector(int k, index_t n) {
    auto x = xtensor_like(n);
    std::copy_n(input(k, n).data(), n, x.data());
    return x;
}
inline xt::xtensor<float, 2> xtensor_array(int k, index_t rows, index_t columns) {
    xt::xtensor<float, 2> x(std::array<std::size_t, 2>{static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
    std::copy_n(input(k, rows * columns).data(), rows * columns, x.data());
    return x;
}
template <std::size_t R>
result whole(const xt::xtensor<float, R>& x) {
    return {x.data(), static_cast<index_t>(x.size())};
}
#endif

}  // namespace bench
