// x(mask) = e and x(mask) += e under transforms, also where the mask differs between the members of a batch.
#include "written.hpp"

using namespace written;

TEST_CASE("written: masks, that may differ between members") {
    check_written([](auto y) {
        y(y > 0.3) = 0.7;
        y(y < 0) *= y(0, 0);
        y(sum(y, 1) > 1.5) += y(1, 1);
        return sum(square(y) * spread({3, 4}, 5));
    });
    const tensor<bool, 1> rows{true, false, true};
    check_written([rows](auto y) {
        y(rows) = y(slice(0, 2)) * y(slice(1, 3));
        y(rows, 1) += 1;
        return sum(square(y));
    });
}
