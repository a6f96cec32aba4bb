// Rows of the test table: permute, matrix_transpose, reshape, expand.
#include "table/table.hpp"

RICCI_ROW(permute, row{
    .reference = [](const dense& x) {
        return gather(x, {4, 2, 3}, [](const auto& at) { return std::vector<index_t>{at[1], at[2], at[0]}; });
    },
    .args = args(reals(-9, 9, ricci::shape{2, 3, 4})),
    .dtypes = everything{},
    .call = [](const auto& x) { return ricci::permute(x, {2, 0, -2}); },
});

RICCI_ROW(matrix_transpose, row{
    .reference = [](const dense& x) {
        return gather(x, {2, 4, 3}, [](const auto& at) { return std::vector<index_t>{at[0], at[2], at[1]}; });
    },
    .args = args(reals(-9, 9, ricci::shape{2, 3, 4})),
});

RICCI_ROW(reshape, row{
    .reference = [](const dense& x) { return dense{{3, 8}, x.values}; },
    .args = args(reals(-9, 9, ricci::shape{2, 3, 4})),
    .dtypes = everything{},
    .call = [](const auto& x) { return ricci::reshape(x, {3, -1}); },
});

RICCI_ROW(expand, row{
    .reference = [](const dense& x) {
        return gather(x, {2, 3, 4}, [](const auto& at) { return std::vector<index_t>{at[1], 0}; });
    },
    .args = args(reals(-9, 9, ricci::shape{3, 1})),
    .dtypes = everything{},
    .call = [](const auto& x) { return ricci::expand(x, {2, -1, 4}); },
});
