// Sparse matrices for tests.
#pragma once
#include "../transforms/exhaustive.hpp"

namespace scattered_entries {

/// Entries at those of m x n places for which (7 i + 5 j + seed) % every is 0, but for an empty row and an empty
/// column.
inline ricci::csr_matrix<double> scattered(ricci::index_t m, ricci::index_t n, ricci::index_t seed,
                                           ricci::index_t every = 3) {
    using namespace ricci;
    auto mask = zeros<double>({m, n});
    for (index_t i = 0; i < m; ++i)
        for (index_t j = 0; j < n; ++j)
            if (i != 1 && j != 2 && (i * 7 + j * 5 + seed) % every == 0) mask.at(i, j) = 1;
    const auto [rows, columns] = nonzero(mask);
    return coo_matrix<double>{rows, columns, mapped::spread({rows.size()}, static_cast<int>(seed)), {m, n}}.to_csr();
}

}  // namespace scattered_entries
