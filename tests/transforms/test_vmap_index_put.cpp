// vmap of writing at positions: mapped data, mapped positions, mapped values; masks that differ between members are
// refused.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto cube = spread({2, 3, 4}, 2);
const auto values = spread({2, 3, 4}, 9);
const tensor<int, 2> lists{{0, 2, 0}, {1, 1, -1}};

}  // namespace

TEST_CASE("vmap: index_put and index_add, every combination of in_axes") {
    const auto put = [](auto x, auto i, auto v) { return index_put(x, ricci::tuple(i), v); };
    check_vmap(put, in_axes(0, none, none), 0, cube, lists(0), values(0));
    check_vmap(put, in_axes(none, 0, none), 0, cube(0), lists, values(0));
    check_vmap(put, in_axes(none, none, 0), 1, cube(0), lists(1), values);
    check_vmap(put, in_axes(0, 0, 0), 0, cube, lists, values);
    const auto add = [](auto x, auto i, auto v) { return index_add(x, 0, i, v); };
    check_vmap(add, in_axes(none, 0, none), 0, cube(0), lists, values(0));
    check_vmap(add, in_axes(0, none, 0), 0, cube, lists(1), values);
    check_vmap([](auto x, auto i) { return take_along_axis(x, i, 0); }, in_axes(none, 0), 0, cube(0), lists(all, all, newaxis));
}
TEST_CASE("vmap: the gradient with respect to values of which some are replaced") {
    const auto loss = [](auto v, auto i) { return sum(square(index_put(zeros<double>({3, 4}), ricci::tuple(i), v))); };
    const auto each = vmap(grad(loss), in_axes(none, 0))(values(0), lists);
    for (index_t b = 0; b < 2; ++b) {
        auto kept = values(0).clone();
        kept(b == 0 ? 0 : 0) = 0;  // the first of two rows that go to the same place
        check_close(each(b), 2.0 * kept);
    }
}
TEST_CASE("vmap: a mask selects as many elements as it likes only if members share it") {
    const auto x = spread({2, 5}, 4);
    CHECK_THROWS_WITH_AS(vmap([](auto a) { return a(a > 0); })(x),
                         "[index] how many elements a mask selects depends on its values, which vmap makes differ between the "
                         "members of a batch: use where, which keeps the shape",
                         value_error);
    const tensor<bool, 1> mask{true, false, true, true, false};
    check_vmap([=](auto a) { return a(mask); }, x);
    check_vmap([](auto a, auto m) { return a(m); }, in_axes(0, none), 0, x, mask);
    check_vmap([](auto a) { return masked_fill(a, a > 0, -1.0); }, x);
}
