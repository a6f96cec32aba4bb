// Functions under the names that NumPy and PyTorch have for them; stacks of rows, columns and sheets.
#include "../transforms/mapped.hpp"

using namespace mapped;

namespace {

const auto x = spread({2, 3});
const auto cube = spread({2, 3, 4});
const auto u = spread({3}), v = spread({3}, 7);

template <class V>
int unique(const V&) {
    return 7;
}
template <class V>
int power(V, int n) {
    return n;
}

}  // namespace

TEST_CASE("transpose: all axes in reverse, in an order, two of them") {
    check_close(transpose(x), permute(x, {1, 0}));
    check_close(transpose(u), u);
    check_close(transpose(cube), permute(cube, {2, 1, 0}));
    check_close(transpose(cube, {1, 2, 0}), permute(cube, {1, 2, 0}));
    check_close(transpose(cube, 0, -1), swapaxes(cube, 0, 2));
    transpose(x)(2, 1) = 8.0;
    CHECK(x(1, 2) == 8.0);
    CHECK_THROWS_AS(transpose(cube, 0, 3), index_error);
}
TEST_CASE("vstack, hstack, dstack, column_stack: of vectors and of matrices, as numpy") {
    check_close(ricci::vstack({u, v}), stack({u, v}));
    check_close(ricci::vstack({x, x}), concat({x, x}));
    check_close(ricci::vstack(ricci::tuple(x, u)), concat(ricci::tuple(x, u(newaxis))));
    check_close(ricci::vstack(std::vector{u, v, u}), stack({u, v, u}));
    check_close(ricci::hstack({u, v}), concat({u, v}));
    check_close(ricci::hstack(ricci::tuple(x, x + 1.0)), concat(ricci::tuple(x, x + 1.0), 1));
    check_close(ricci::hstack(std::array{x, x}), concat({x, x}, 1));
    check_close(ricci::dstack({u, v}), stack({u, v}, 1)(newaxis));
    check_close(ricci::dstack({x, x}), stack({x, x}, 2));
    check_close(ricci::column_stack({u, v}), stack({u, v}, 1));
    check_close(ricci::column_stack(ricci::tuple(transpose(x), u)),
                concat(ricci::tuple(transpose(x), u(all, newaxis)), 1));
    CHECK_THROWS_AS(ricci::vstack(ricci::tuple(x, spread({4}))), shape_error);
    check_close(grad([](auto a) { return sum(square(ricci::vstack(ricci::tuple(a, 2.0 * a)))); })(u), 10.0 * u);
    check_close(vmap([](auto a) { return ricci::hstack(ricci::tuple(a, a)); })(x), concat({x, x}, 1));
}
TEST_CASE("chunk: pieces of as many, the last ones shorter or missing, as torch") {
    const auto lengths = [](const auto& pieces) {
        std::vector<index_t> n;
        for (const auto& piece : pieces) n.push_back(piece.size());
        return n;
    };
    const auto line = spread({7});
    CHECK(lengths(chunk(line, 3)) == std::vector<index_t>{3, 3, 1});
    CHECK(lengths(chunk(line, 5)) == std::vector<index_t>{2, 2, 2, 1});
    CHECK(lengths(chunk(line, 9)) == std::vector<index_t>(7, 1));
    CHECK(lengths(chunk(zeros<double>({0}), 2)) == std::vector<index_t>{0});
    check_close(chunk(x, 2, 1)[1], x(all, slice(2, 3)));
    CHECK_THROWS_AS(chunk(line, 0), value_error);
}
TEST_CASE("other names") {
    check_close(absolute(x), abs(x));
    check_close(arccos(u / 10.0), acos(u / 10.0));
    check_close(arctan2(u, 2.0), atan2(u, 2.0));
    check_close(ricci::arctan2(2.0, u), ricci::atan2(2.0, u));
    check_close(clamp(x, -1, 2.5), clip(x, -1, 2.5));
    check_close(clamp(x, none, 2.5), clip(x, none, 2.5));
    check_close(mod(x, 2), remainder(x, 2));
    check_close(ricci::power(x, 2), square(x));
    check_close(amax(x, 1), max(x, 1));
    check_close(amax(x, {0, 1}, keepdims), max(x, {0, 1}, keepdims));
    CHECK(ricci::amin(x) == ricci::min(x).item());
    check_close(mm(x, transpose(x)), matmul(x, transpose(x)));
    check_close(trapz(u, v), trapezoid(u, v));
    check_close(ricci::unique(u), unique_values(u));
    check_close(unsqueeze(x, -1), expand_dims(x, -1));
    check_close(unbind(x, 1)[2], x(all, 2));
    check_close(movedim(cube, 0, 2), moveaxis(cube, 0, 2));
    check_close(ricci::concatenate({x, x}, 1), concat({x, x}, 1));
    check_close(ricci::cat(ricci::tuple(x, 2.0 * x)), concat(ricci::tuple(x, 2.0 * x)));
    check_close(fliplr(x), flip(x, 1));
    check_close(flipud(x), flip(x, 0));
    check_close(around(x, 1), round(x, 1));
    check_close(grad([](auto a) { return sum(arctan(clamp(a, 0, 1)) * detach(a)); })(u),
                grad([](auto a) { return sum(atan(clip(a, 0, 1)) * stop_gradient(a)); })(u));
    CHECK(ricci::asarray(0.5).ndim() == 0);
    CHECK(ricci::asarray(0.5).item() == 0.5);
}
TEST_CASE("other names: templates of whoever has their own are taken") {
    auto y = u.clone();
    CHECK(unique(y) == 7);
    CHECK(unique(y + 1.0) == 7);
    CHECK(power(y, 3) == 3);
}
TEST_CASE("randint is integers") {
    CHECK(all(ricci::randint(0, 10, {100}, generator(1)) == ricci::random::integers(0, 10, {100}, generator(1))));
    CHECK(ricci::randint(1).item() == 0);
    CHECK(all(ricci::random::randint(7, {2, 5}, generator(3)) == ricci::random::integers(7, {2, 5}, generator(3))));
}
