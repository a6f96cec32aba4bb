// Rows of the test table: scatter, put_along_axis, index_add, and reductions to positions.
#include "table/table.hpp"

namespace table {

/// x with x[p[i][j]][j] = v[i][j], in order.
dense scattered(dense x, const dense& v) {
    const index_t p[2][3] = {{1, 0, 2}, {1, 2, 0}};
    for_each_index(v.shape, [&](const auto& at) { x.at({p[at[0]][at[1]], at[1]}) = v.at(at); });
    return x;
}
inline const ricci::tensor<int, 2> places{{1, 0, 2}, {1, -1, 0}};

}  // namespace table

RICCI_ROW(scatter, row{
    .reference = scattered,
    .args = args(reals(-9, 9, ricci::shape{3, 4}), reals(-9, 9, ricci::shape{2, 3})),
    .dtypes = floats{},
    .call = [](const auto& x, const auto& v) { return ricci::scatter(x, 0, places, v); },
});
RICCI_ROW(put_along_axis, row{
    .reference = scattered,
    .args = args(reals(-9, 9, ricci::shape{3, 3}), reals(-9, 9, ricci::shape{2, 3})),
    .dtypes = floats{},
    .call = [](const auto& x, const auto& v) { return ricci::put_along_axis(x, places, v, 0); },
});
RICCI_ROW(index_add, row{
    .reference = [](const dense& x, const dense& v) {
        dense y = x;
        const index_t p[] = {2, 0, 2};
        for_each_index(v.shape, [&](const auto& at) { y.at({at[0], p[at[1]]}) += v.at(at); });
        return y;
    },
    .args = args(reals(1, 9, ricci::shape{2, 3}), reals(1, 9, ricci::shape{2, 3})),
    .ulp = 2,  // the values at one place are added to each other first
    .dtypes = floats{},
    .call = [](const auto& x, const auto& v) { return ricci::index_add(x, -1, ricci::tensor<short, 1>{2, 0, -1}, v); },
});
RICCI_ROW(scatter_reduce, covered_by{"ops/test_reduce_at.cpp"});
RICCI_ROW(index_reduce, covered_by{"ops/test_reduce_at.cpp"});
RICCI_ROW(segment_reduce, covered_by{"ops/test_reduce_at.cpp"});
