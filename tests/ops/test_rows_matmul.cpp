// Rows of the test table: matmul and the other products.
#include "table/table.hpp"

namespace table {

/// The product of the definition: a (m, k), b (..., k, n).
dense product(const dense& a, const dense& b) {
    std::vector<index_t> extents = b.shape;
    extents[extents.size() - 2] = a.shape[0];
    dense c = dense::zeros(extents);
    for_each_index(extents, [&](const auto& at) {
        std::vector<index_t> of_b = at;
        for (index_t k = 0; k < a.shape[1]; ++k) {
            of_b[of_b.size() - 2] = k;
            c.at(at) += a.at({at[at.size() - 2], k}) * b.at(of_b);
        }
    });
    return c;
}

}  // namespace table

RICCI_ROW(matmul,
          row{
              .reference = [](const dense& a, const dense& b) { return product(a, b); },
              .args = args(reals(0.5, 4, ricci::shape{3, 4}), reals(0.5, 4, ricci::shape{4, 5})),
              .ulp = 3,
          },
          row{
              .reference = [](const dense& a, const dense& b) { return product(a, b); },
              .args = args(reals(0.5, 4, ricci::shape{3, 4}), reals(0.5, 4, ricci::shape{2, 4, 2})),
              .ulp = 3,
              .dtypes = floats{},
          },
          row{
              .reference = [](const dense& a,
                              const dense& v) { return dense{{3}, product(a, dense{{4, 1}, v.values}).values}; },
              .args = args(reals(0.5, 4, ricci::shape{3, 4}), reals(0.5, 4, ricci::shape{4})),
              .ulp = 3,
              .dtypes = floats{},
          },
          row{
              .reference =
                  [](const dense& a, const dense& b, const dense& c) {
                      dense y = product(a, b);
                      for (std::size_t i = 0; i < y.values.size(); ++i)
                          y.values[i] = y.values[i] * y.values[i] + c.values[i % 5];
                      return y;
                  },
              .args = args(reals(0.5, 4, ricci::shape{3, 4}), reals(0.5, 4, ricci::shape{4, 5}),
                           reals(0.5, 4, ricci::shape{5})),
              .ulp = 6,
              .dtypes = floats{},
              .call = [](const auto& a, const auto& b,
                         const auto& c) { return ricci::matmul(a, b, [&](const auto& ab) { return ab * ab + c; }); },
          });

RICCI_ROW(dot, covered_by{"ops/test_products.cpp"});
RICCI_ROW(vdot, covered_by{"ops/test_products.cpp"});
RICCI_ROW(vecdot, covered_by{"ops/test_products.cpp"});
RICCI_ROW(matvec, covered_by{"ops/test_options.cpp"});
RICCI_ROW(vecmat, covered_by{"ops/test_options.cpp"});
RICCI_ROW(inner, covered_by{"ops/test_products.cpp"});
RICCI_ROW(outer, covered_by{"ops/test_products.cpp"});
RICCI_ROW(tensordot, covered_by{"ops/test_products.cpp"});
RICCI_ROW(einsum, covered_by{"ops/test_einsum.cpp"});
