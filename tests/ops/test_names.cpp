// Functions put together from others, against NumPy, SciPy and PyTorch, in two memory layouts. Their rules and refusals
// stand in test_names_rules.cpp.
#include "../golden/names.hpp"
#include "close_calls.hpp"

using namespace ricci;
using calls::not_a_number;

namespace {

void check_all(reference::layout l) {
    CAPTURE(reference::name(l));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto value = [](index_t i) { return static_cast<double>(37 * i % 11 - 5); };
    const auto x = reference::make<double>(l, shape{3, 4}, value);
    const auto n = evaluate(where(x == -5 || x == 3, not_a_number, x));
    const auto v = evaluate(x(0)), w = evaluate(x(1));
    const auto k = evaluate(astype<int>(x));
    const tensor<double, 1> places{0, 1, 3, 4};
    RICCI_NAMES_CASES(RICCI_CHECK_CLOSE);
}

}  // namespace

TEST_CASE("names: results of NumPy, SciPy and PyTorch") {
    check_all(reference::layout::permuted);
    check_all(reference::layout::reversed);
}
