// Writing through index arrays and masks against NumPy's results, into every memory layout.
#include "indexing.hpp"

using namespace indexing;

#define RICCI_CHECK_WRITING(index, assigned, raised)                    \
    {                                                                   \
        CAPTURE("x" #index);                                            \
        const auto x = numbers(l);                                      \
        x index = counting((x index).shape(), 100);                     \
        CHECK(values(x) == ints{RICCI_STRIP assigned});                 \
        x index += 1000;                                                \
        CHECK(values(x) == ints{RICCI_STRIP raised});                   \
    }

TEST_CASE("indexing: assigning to what arrays and masks select; the last value stays") {
    RICCI_NAMES;
    for (const auto l : {reference::layout::contiguous, reference::layout::permuted, reference::layout::reversed,
                         reference::layout::strided}) {
        CAPTURE(reference::name(l));
        RICCI_WRITE_CASES(RICCI_CHECK_WRITING);
    }
}
