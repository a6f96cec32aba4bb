// Rows of the test table: concat, stack.
#include "table/table.hpp"

namespace table {

/// Three arrays one after the other along an axis.
dense joined(const std::vector<dense>& list, std::size_t axis) {
    std::vector<index_t> extents = list[0].shape;
    extents[axis] = 0;
    for (const dense& x : list) extents[axis] += x.shape[axis];
    dense y = dense::zeros(extents);
    index_t begin = 0;
    for (const dense& x : list) {
        for_each_index(x.shape, [&](auto at) {
            const real value = x.at(at);
            at[axis] += begin;
            y.at(at) = value;
        });
        begin += x.shape[axis];
    }
    return y;
}
dense with_axis(dense x, index_t at) {
    x.shape.insert(x.shape.begin() + at, 1);
    return x;
}

}  // namespace table

RICCI_ROW(concat,
    row{
        .reference = [](const dense& a, const dense& b, const dense& c) { return joined({a, b, c}, 1); },
        .args = args(reals(-9, 9, ricci::shape{2, 3}), reals(-9, 9, ricci::shape{2, 1}), reals(-9, 9, ricci::shape{2, 4})),
        .dtypes = everything{},
        .call = [](const auto& a, const auto& b, const auto& c) { return ricci::concat(ricci::tuple(a, b, c), -1); },
    },
    row{
        .reference = [](const dense& a, const dense& b) {
            return joined({dense{{6}, a.values}, dense{{2}, b.values}}, 0);
        },
        .args = args(reals(-9, 9, ricci::shape{2, 3}), reals(-9, 9, ricci::shape{2, 1})),
        .dtypes = floats{},
        .call = [](const auto& a, const auto& b) { return ricci::concat(ricci::tuple(a, b), ricci::none); },
    });

RICCI_ROW(stack, row{
    .reference = [](const dense& a, const dense& b) { return joined({with_axis(a, 1), with_axis(b, 1)}, 1); },
    .args = args(reals(-9, 9, ricci::shape{3, 2}), reals(-9, 9, ricci::shape{3, 2})),
    .dtypes = everything{},
    .call = [](const auto& a, const auto& b) { return ricci::stack(ricci::tuple(a, b), 1); },
});
