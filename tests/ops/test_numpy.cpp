// More of NumPy's functions against it, in two memory layouts. Their rules stand in test_names_batches.cpp and
// _derivatives.cpp.
#include "../golden/numpy.hpp"
#include "close_calls.hpp"

using namespace ricci;
using calls::not_a_number;

namespace {

void check_more(reference::layout l) {
    CAPTURE(reference::name(l));
    const auto x =
        reference::make<double>(l, shape{3, 4}, [](index_t i) { return static_cast<double>(37 * i % 11 - 5); });
    const auto n = evaluate(where(x == -5 || x == 3, not_a_number, x));
    const auto v = evaluate(x(0)), w = evaluate(x(1));
    const auto k = evaluate(astype<int>(x));
    RICCI_NUMPY_CASES(RICCI_CHECK_CLOSE);
}

}  // namespace

TEST_CASE("names: more results of NumPy") {
    check_more(reference::layout::permuted);
    check_more(reference::layout::reversed);
}
