// Rows of the test table: take, index_select, compress.
#include "table/table.hpp"

namespace table {

/// The rows of x along an axis at some positions.
dense rows_at(const dense& x, std::size_t axis, const std::vector<index_t>& positions) {
    std::vector<index_t> extents = x.shape;
    extents[axis] = static_cast<index_t>(positions.size());
    dense y = dense::zeros(extents);
    for_each_index(extents, [&](auto at) {
        real& to = y.at(at);
        at[axis] = positions[static_cast<std::size_t>(at[axis])];
        to = x.at(at);
    });
    return y;
}

}  // namespace table

RICCI_ROW(take, row{
    .reference = [](const dense& x) { return rows_at(x, 1, {3, 0, 3, 2, 3}); },
    .args = args(reals(-9, 9, ricci::shape{2, 4, 3})),
    .dtypes = everything{},
    .call = [](const auto& x) { return ricci::take(x, ricci::tensor<int, 1>{3, 0, -1, 2, 3}, 1); },
});
RICCI_ROW(index_select, row{
    .reference = [](const dense& x) { return rows_at(x, 1, {2, 2, 0}); },
    .args = args(reals(-9, 9, ricci::shape{2, 3})),
    .dtypes = floats{},
    .call = [](const auto& x) { return ricci::index_select(x, -1, {-1, 2, 0}); },
});
RICCI_ROW(compress, row{
    .reference = [](const dense& x) { return rows_at(x, 0, {0, 2}); },
    .args = args(reals(-9, 9, ricci::shape{3, 2})),
    .dtypes = floats{},
    .call = [](const auto& x) { return ricci::compress(ricci::tensor<bool, 1>{true, false, true}, x, 0); },
});
