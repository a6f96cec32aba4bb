// Rows of the test table: what makes arrays, covered by tests of its own.
#include "table/table.hpp"

RICCI_ROW(empty, covered_by{"ops/test_create.cpp"});
RICCI_ROW(full, covered_by{"ops/test_create.cpp"});
RICCI_ROW(zeros, covered_by{"ops/test_create.cpp"});
RICCI_ROW(ones, covered_by{"ops/test_create.cpp"});
RICCI_ROW(arange, covered_by{"ops/test_create.cpp"});
RICCI_ROW(linspace, covered_by{"ops/test_create.cpp"});
RICCI_ROW(eye, covered_by{"ops/test_create.cpp"});
RICCI_ROW(borrow, covered_by{"core/test_tensor.cpp"});
RICCI_ROW(from_span, covered_by{"core/test_tensor.cpp"});
RICCI_ROW(rand, covered_by{"ops/test_create.cpp"});
RICCI_ROW(randn, covered_by{"ops/test_create.cpp"});
RICCI_ROW(allclose, covered_by{"ops/test_allclose.cpp"});
RICCI_ROW(rand_like, covered_by{"transforms/test_vmap_random.cpp"});
RICCI_ROW(randn_like, covered_by{"transforms/test_vmap_random.cpp"});
