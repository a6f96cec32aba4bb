// vmap of reading through index arrays: mapped data, mapped indices, both, nested, captured.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto cube = spread({2, 3, 4}, 2);
const auto matrix = spread({3, 4}, 5);
const tensor<int, 2> lists{{0, 2, -1}, {1, 1, 0}};
const tensor<std::int64_t, 1> numbers{2, 0, -1};

}  // namespace

TEST_CASE("vmap: index arrays, every combination of in_axes") {
    const auto take_rows = [](auto x, auto i) { return x(i); };
    check_vmap(take_rows, in_axes(0, none), 0, cube, numbers);
    check_vmap(take_rows, in_axes(none, 0), 0, matrix, lists);
    check_vmap(take_rows, in_axes(0, 0), 1, cube, lists);
    check_vmap(take_rows, in_axes(-1, 1), 0, matrix(all, slice(0, 3)), lists);
    const auto apart = [](auto x, auto i, auto j) { return x(i, all, j); };
    const auto block = spread({2, 3, 2, 4}, 3);
    check_vmap(apart, in_axes(0, none, 0), 0, block, numbers, lists);
    check_vmap(apart, in_axes(none, 0, 0), 2, block(0), lists, lists);
    check_vmap(apart, in_axes(0, 0, 0), 0, block, lists, lists(slice(none, none, -1)));
    check_vmap([](auto i) { return matrix(i, 1); }, in_axes(0), 0, lists);
    check_vmap([](auto x) { return x(all, numbers); }, cube);
    check_vmap([](auto x, auto i) { return take(x, i, -1) * sum(x(i(0))); }, in_axes(0, 0), 0, cube, lists);
}
TEST_CASE("vmap: nested, with one index an element") {
    const auto pick = [](auto x, auto i) { return x(i); };
    const auto nested = vmap(vmap(pick, in_axes(none, 0)), in_axes(0, 0));
    const tensor<int, 2> i{{0, 2, -1}, {1, 1, 0}};
    const auto y = nested(cube, i);
    for (index_t b = 0; b < 2; ++b) check_close(y(b), evaluate(cube(b)(i(b))));
    const auto crossed = vmap(vmap(pick, in_axes(0, none)), in_axes(none, 0))(cube(0), tensor<int, 1>{3, -4});
    check_close(crossed(0), cube(0)(all, 3));
    check_close(crossed(1), cube(0)(all, 0));
}
TEST_CASE("vmap of grad, grad of vmap: rows of a table that members share") {
    const auto loss = [](auto x, auto i) { return sum(x(i) * x(i) * x(i)); };
    const auto each = vmap(grad(loss), in_axes(none, 0))(matrix, lists);
    for (index_t b = 0; b < 2; ++b) check_close(each(b), grad(loss)(matrix, lists(b).clone()));
    const auto joint = grad([&](auto x) { return sum(vmap(loss, in_axes(none, 0))(x, lists)); })(matrix);
    check_close(joint, evaluate(each(0) + each(1)));
    const auto captured = grad([&](auto x) { return sum(vmap([&](auto i) { return sum(square(x(i))); })(lists)); })(matrix);
    check_close(captured, grad([&](auto x) { return sum(square(x(lists))); })(matrix));
    const auto curvature = vmap(hessian([](auto x) { return sum(x(numbers) * x(numbers) * x(numbers)); }))(matrix);
    for (index_t b = 0; b < 3; ++b)
        for (index_t i = 0; i < 4; ++i)
            CHECK(curvature.at(b, i, i) == doctest::Approx(i == 1 ? 0 : 6 * matrix.at(b, i)));
}
