// Rows of the test table: index_put, masked_fill, masked_scatter, and functions whose shapes depend on values.
#include "table/table.hpp"

namespace table {

/// x with x[2] = v[0], x[0] = v[1], x[2] = v[2].
dense put(dense x, const dense& v) {
    const index_t p[] = {2, 0, 2};
    for_each_index(v.shape, [&](const auto& at) { x.at({p[at[0]], at[1]}) = v.at(at); });
    return x;
}
inline const ricci::tensor<bool, 2> chosen{{true, false, true}, {false, true, true}};

}  // namespace table

RICCI_ROW(index_put, row{
    .reference = put,
    .args = args(reals(-9, 9, ricci::shape{3, 2}), reals(-9, 9, ricci::shape{3, 2})),
    .dtypes = floats{},
    .call = [](const auto& x, const auto& v) { return ricci::index_put(x, ricci::tuple(ricci::tensor<int, 1>{2, 0, -1}), v); },
});
RICCI_ROW(masked_fill, row{
    .reference = [](const dense& x) {
        return dense{{2, 3}, {0.5, x.values[1], 0.5, x.values[3], 0.5, 0.5}};
    },
    .args = args(reals(-9, 9, ricci::shape{2, 3})),
    .dtypes = floats{},
    .call = [](const auto& x) { return ricci::masked_fill(x, chosen, 0.5); },
});
RICCI_ROW(masked_scatter, row{
    .reference = [](const dense& x, const dense& v) {
        return dense{{2, 3}, {v.values[0], x.values[1], v.values[1], x.values[3], v.values[2], v.values[3]}};
    },
    .args = args(reals(-9, 9, ricci::shape{2, 3}), reals(-9, 9, ricci::shape{5})),
    .dtypes = floats{},
    .call = [](const auto& x, const auto& v) { return ricci::masked_scatter(x, chosen, v); },
});
RICCI_ROW(masked_select, covered_by{"ops/test_indexing_functions.cpp"});
RICCI_ROW(nonzero, covered_by{"ops/test_indexing_functions.cpp"});
RICCI_ROW(argwhere, covered_by{"ops/test_indexing_functions.cpp"});
RICCI_ROW(index, covered_by{"ops/test_indexing.cpp"});
