// Index arrays and masks on the Thrust backend against the CPU.
#include "agree.hpp"

namespace {

const rc::tensor<int, 1> rows{2, 0, -1, 2};
const rc::tensor<std::int64_t, 2> table{{0, 1, -2}, {2, 2, 0}};

}  // namespace

TEST_CASE("cuda: reading through index arrays and masks") {
    const auto x = random_tensor({3, 4, 5});
    const auto d = x.to(rc::cuda);
    check_equal(d(rows.to(rc::cuda)), rc::evaluate(x(rows)));
    check_equal(d(rows, rc::all, 1), rc::evaluate(x(rows, rc::all, 1)));
    check_equal(rc::permute(d, {2, 0, 1})(table, rc::all, table),
                rc::evaluate(rc::permute(x, {2, 0, 1})(table, rc::all, table)));
    check_equal(d({0, 2}, rc::ellipsis), rc::evaluate(x({0, 2}, rc::ellipsis)));
    check_equal(d(d > 0.5), rc::evaluate(x(x > 0.5)));
    check_equal(rc::take(d, rows.to(rc::cuda), 0), rc::take(x, rows, 0));
    check_equal(rc::argwhere(d > 0.5), rc::argwhere(x > 0.5));
    CHECK_THROWS_WITH_AS(rc::evaluate(d(rc::all, rows + 2)), "index 4 is out of bounds for axis 1 with size 4",
                         rc::index_error);
    const auto far = rc::full<std::uint64_t>({2}, ~std::uint64_t(0));
    CHECK_THROWS_AS(rc::evaluate(d(far.to(rc::cuda))), rc::index_error);
    const auto none = rc::zeros<double>({0, 64, 64});
    agree([](auto a) { return a + rc::permute(a, {0, 2, 1}); }, none);
}
TEST_CASE("cuda: many writes to few targets, in order") {
    const auto at = rc::evaluate(rc::arange<int>(5000) % 7);
    const auto y = random_tensor({5000, 3});
    const auto x = rc::zeros<double>({7, 3});
    const auto d = x.to(rc::cuda);
    x(at).add(y);
    d(at.to(rc::cuda)).add(y.to(rc::cuda));
    check_equal(d, x);
    x(at) = y;
    d(at.to(rc::cuda)) = y.to(rc::cuda);
    check_equal(d, x);
}
TEST_CASE("cuda: writing through index arrays and masks") {
    const auto x = random_tensor({3, 4, 5});
    const auto y = random_tensor({4, 4, 5});
    const auto d = x.to(rc::cuda);
    x(rows) = y;
    d(rows) = y.to(rc::cuda);
    check_equal(d, x);
    x(rc::all, rows).add(1.5);
    d(rc::all, rows).add(1.5);
    check_equal(d, x);
    x(x > 0.5) = 0.25;
    d(d > 0.5) = 0.25;
    check_equal(d, x);
}
TEST_CASE("cuda: the gradient of reading through an index array") {
    const auto x = random_tensor({3, 4});
    const auto f = [](auto i) { return [i](auto z) { return rc::sum(z(i) * z(i)); }; };
    check_equal(rc::grad(f(rows.to(rc::cuda)))(x.to(rc::cuda)), rc::grad(f(rows))(x));
}
