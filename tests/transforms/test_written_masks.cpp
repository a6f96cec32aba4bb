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
TEST_CASE("written: masks beside index arrays that name elements several times") {
    const tensor<bool, 1> rows{false, true, false};
    const tensor<int, 1> columns{2, 2, 0};
    check_written([=](auto y) {
        y(rows, columns).add(y(0, slice(0, 3)));
        y(rows, columns).multiply(y(slice(0, 3), 1));
        return sum(square(y) * spread({3, 4}, 5));
    });
    const auto joined = [=](const auto& v) {
        auto y = evaluate(v * 1.0);
        y(rows, columns).multiply(tensor<double, 1>{2, 3, 5});
        y(rows, columns).maximum(tensor<double, 1>{-9, 100, 7});
        return sum(y(1));
    };
    const auto [value, slope] = value_and_grad(joined)(ones<double>({3, 4}));  // 7 1 100 1: both are constants there
    CHECK(value.item() == 109);
    CHECK(sum(slope(1)) == 2);
}
