// Reading through index arrays and masks against NumPy's results, from every memory layout: the cases A.
#include "indexing.hpp"

using namespace indexing;

TEST_CASE("indexing: what arrays and masks select, A") {
    RICCI_NAMES;
    for (const auto l : {reference::layout::contiguous, reference::layout::permuted, reference::layout::reversed,
                         reference::layout::strided}) {
        CAPTURE(reference::name(l));
        const auto x = numbers(l);
        RICCI_ADVANCED_CASES_A(RICCI_CHECK_READING);
    }
}
