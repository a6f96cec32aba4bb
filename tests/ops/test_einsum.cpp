// einsum against NumPy in every memory layout: products of two operands and of one.
#include "products.hpp"

using namespace ricci;
using reference::layout;

TEST_CASE("einsum: NumPy's results") {
    using T = double;
    for (const layout l : {layout::contiguous, layout::permuted, layout::reversed, layout::strided}) {
        CAPTURE(reference::name(l));
        RICCI_PRODUCT_ARRAYS(RICCI_MAKE_ARRAY);
        RICCI_EINSUM_CASES_A(RICCI_CHECK_CALL);
    }
}
