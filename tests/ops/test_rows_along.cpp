// Rows of the test table: gather, take_along_axis, scatter_add.
#include "table/table.hpp"

namespace table {

/// y[i][j] = x[p[i][j]][j].
dense gathered(const dense& x, const std::vector<std::vector<index_t>>& p) {
    dense y = dense::zeros({index_t(p.size()), index_t(p[0].size())});
    for_each_index(y.shape, [&](const auto& at) {
        y.at(at) = x.at({p[static_cast<std::size_t>(at[0])][static_cast<std::size_t>(at[1])], at[1]});
    });
    return y;
}
inline const ricci::tensor<int, 2> lines{{1, 0, 2}, {1, -1, 0}};

}  // namespace table

RICCI_ROW(gather, row{
    .reference = [](const dense& x) { return gathered(x, {{1, 0, 2}, {1, 2, 0}}); },
    .args = args(reals(-9, 9, ricci::shape{3, 4})),
    .dtypes = floats{},
    .call = [](const auto& x) { return ricci::gather(x, 0, lines); },
});
RICCI_ROW(take_along_axis, row{
    .reference = [](const dense& x) { return gathered(x, {{1, 0, 2}, {1, 2, 0}}); },
    .args = args(reals(-9, 9, ricci::shape{3, 3})),
    .dtypes = floats{},
    .call = [](const auto& x) { return ricci::take_along_axis(x, lines, 0); },
});
RICCI_ROW(scatter_add, row{
    .reference = [](const dense& x, const dense& v) {
        dense y = x;
        const index_t p[2][3] = {{1, 0, 2}, {1, 2, 0}};
        for_each_index(v.shape, [&](const auto& at) { y.at({p[at[0]][at[1]], at[1]}) += v.at(at); });
        return y;
    },
    .args = args(reals(1, 9, ricci::shape{3, 4}), reals(1, 9, ricci::shape{2, 3})),
    .ulp = 2,  // the values at one place are added to each other first
    .dtypes = floats{},
    .call = [](const auto& x, const auto& v) { return ricci::scatter_add(x, 0, lines, v); },
});
