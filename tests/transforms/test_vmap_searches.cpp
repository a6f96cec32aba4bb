// searchsorted, and interp on it, where each member of a batch has a list of its own: against a loop over the members.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto x = spread({5, 8}, 2);
const auto u = spread({5, 3}, 3);
const auto lists = sort(x, 1);
const auto line = [](auto r, auto at) { return interp(at, cumsum(exp(r), 0), sin(r)); };

}  // namespace

TEST_CASE("searchsorted: a list for each member, values shared or not") {
    const auto both = vmap([](auto s, auto v) { return searchsorted(s, v); })(lists, u);
    const auto number = vmap([](auto s) { return searchsorted(s, 0.1); })(lists);
    const auto shared = vmap([&](auto s) { return searchsorted(s, u, true); })(lists);
    CHECK(shared.shape() == shape<3>{5, 5, 3});
    for (index_t i = 0; i < 5; ++i) {
        CHECK(array_equal(both(i), searchsorted(lists(i), u(i))));
        CHECK(number(i).item() == searchsorted(lists(i), 0.1).item());
        CHECK(array_equal(shared(i), searchsorted(lists(i), u, true)));
    }
}
TEST_CASE("searchsorted: batches in batches, the list of the inner or of the outer one") {
    const auto outer = vmap([&](auto s) { return vmap([=](auto v) { return searchsorted(s, v); })(u); })(lists);
    const auto inner = vmap([&](auto v) { return vmap([=](auto s) { return searchsorted(s, v); })(lists); })(u);
    const auto one = vmap([&](auto v) { return vmap([=](auto w) { return searchsorted(sort(v + w), v); })(u); })(u);
    for (index_t i = 0; i < 5; ++i)
        for (index_t j = 0; j < 5; ++j) {
            CHECK(array_equal(outer(i, j), searchsorted(lists(i), u(j))));
            CHECK(array_equal(inner(i, j), searchsorted(lists(j), u(i))));
            CHECK(array_equal(one(i, j), searchsorted(sort(u(i) + u(j)), u(i))));
        }
}
TEST_CASE("interp: places and values of each member, and their gradients") {
    const auto at = evaluate(u + 3.0);
    const auto values = vmap(line)(x, at);
    const auto slopes = vmap(grad([](auto r, auto a) { return sum(line(r, a)); }))(x, at);
    const auto total = grad([&](auto all_rows) { return sum(vmap(line)(all_rows, at)); })(x);
    for (index_t i = 0; i < 5; ++i) {
        check_close(values(i), line(x(i), at(i)));
        const auto slope = grad([&](auto r) { return sum(line(r, at(i))); })(x(i));
        check_close(slopes(i), slope);
        check_close(total(i), slope);
    }
}
