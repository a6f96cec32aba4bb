// Reading through index arrays and masks against NumPy's results, from every memory layout: the cases B.
#include "indexing.hpp"

using namespace indexing;

TEST_CASE("indexing: what arrays and masks select, B") {
    RICCI_NAMES;
    for (const auto l : {reference::layout::contiguous, reference::layout::permuted, reference::layout::reversed,
                         reference::layout::strided}) {
        CAPTURE(reference::name(l));
        const auto x = numbers(l);
        RICCI_ADVANCED_CASES_B(RICCI_CHECK_READING);
    }
}
