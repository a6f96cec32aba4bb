// cumulative_sum, cumulative_prod, cummax, cummin, diff, trapezoid, sort, argsort, topk, median, quantile and
// searchsorted against NumPy.
#include "../golden/order.hpp"
#include "calls.hpp"

using namespace ricci;
using reference::layout;

namespace {

template <class T>
void check_all(layout l) {
    CAPTURE(reference::name(l));
    const auto value = [](index_t i) { return 37 * i % 11 - 5; };
    const auto x = reference::make<T>(l, shape{3, 4, 7}, value);
    const auto v = reference::make<T>(l, shape{7}, value);
    RICCI_ORDER_CASES(RICCI_CHECK_CALL);
}

}  // namespace

TEST_CASE("order: NumPy's results, in every memory layout") {
    for (const layout l : {layout::contiguous, layout::permuted, layout::reversed, layout::strided}) check_all<int>(l);
    check_all<double>(layout::permuted);
}
