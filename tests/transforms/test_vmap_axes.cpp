// in_axes of the members of arguments, and results that are the same for all members of a batch (out_axes none).
#include "mapped.hpp"

using namespace mapped;

namespace {

template <class W, class B>
struct layer {
    W weight;
    B bias;
    friend auto members(const layer& l) { return std::tie(l.weight, l.bias); }
};

const auto m = spread({4, 3});
const auto v = spread({3}, 4);
const auto scaled = [](auto pair, auto x) { return std::get<0>(pair) * x + std::get<1>(pair); };
// a mapped result, one that all members share, and a mapped one again
const auto mixed = [](auto w, auto x) { return ricci::tuple(w * x, w * w, sum(x)); };

}  // namespace

TEST_CASE("in_axes of members: tuples, structs, one in the other") {
    const auto t = evaluate(permute(m, {1, 0}));
    check_close(vmap(scaled, in_axes(ricci::tuple(0, none), 0))(ricci::tuple(m, v), m), m * m + v);
    check_close(vmap(scaled, in_axes(ricci::tuple(none, -1), none))(ricci::tuple(v, t), v), v * v + m);
    const auto apply = [](auto l, auto x) { return vecdot(l.weight, x) + l.bias; };
    check_close(vmap(apply, in_axes(ricci::tuple(0, none), none))(layer{m, tensor<double, 0>(2.0)}, v),
                matmul(m, v) + 2);
    const auto deep = [](auto all) {
        return std::get<0>(std::get<0>(all)) * std::get<1>(all) + std::get<1>(std::get<0>(all));
    };
    check_close(vmap(deep, in_axes(ricci::tuple(ricci::tuple(0, none), 0)))(ricci::tuple(ricci::tuple(m, v), m)),
                m * m + v);
    const vmap_options chunks{.chunk_size = 3};
    check_close(vmap(scaled, in_axes(ricci::tuple(0, none), 0), chunks)(ricci::tuple(m, v), m), m * m + v);
    CHECK_THROWS_AS(vmap(scaled, in_axes(ricci::tuple(0, 1), none))(ricci::tuple(m, m), v), shape_error);
}
TEST_CASE("in_axes of members: gradients") {
    const auto loss = [](auto pair, auto x) { return sum(scaled(pair, x) * x); };
    const auto [da, db] = vmap(grad(loss), in_axes(ricci::tuple(0, none), 0))(ricci::tuple(m, v), m);
    check_close(da, m * m);
    check_close(db, m);
    const auto total = [&](auto pair) { return sum(vmap(loss, in_axes(ricci::tuple(0, none), 0))(pair, m)); };
    const auto [ga, gb] = grad(total)(ricci::tuple(m, v));
    check_close(ga, m * m);
    check_close(gb, sum(m, 0));
}
TEST_CASE("out_axes none: what all members share has no batch") {
    const auto [product, square, total] = vmap(mixed, in_axes(none, 0), out_axes(1, none, 0))(v, m);
    check_close(product, permute(v * m, {1, 0}));
    check_close(square, v * v);
    check_close(total, sum(m, 1));
    check_close(vmap([](auto) { return 2.0; }, in_axes(0), out_axes(none))(m), tensor<double, 0>(2.0));
    for (index_t n : {2, 3, 4}) {
        const auto some = vmap(mixed, in_axes(none, 0), out_axes(0, none, 0), vmap_options{.chunk_size = n})(v, m);
        check_close(std::get<0>(some), v * m);
        check_close(std::get<1>(some), v * v);
        check_close(std::get<2>(some), sum(m, 1));
    }
}
TEST_CASE("out_axes none: under other transforms, and around them") {
    const auto shared = [](auto w) { return std::get<1>(vmap(mixed, in_axes(none, 0), out_axes(0, none, 0))(w, m)); };
    check_close(grad([&](auto w) { return sum(shared(w)); })(v), 2 * v);
    check_close(jacfwd(shared)(v), 2 * diag(v));
    check_close(vmap(shared)(m), m * m);
    // zeros_like a mapped array, which is the same for all of them
    check_close(vmap([](auto x) { return zeros_like(x) + 1.0; }, in_axes(0), out_axes(none))(m), ones<double>({3}));
    const auto inner = [](auto x) {
        return vmap([=](auto y) { return ricci::tuple(x * y, x * x); }, in_axes(0), out_axes(0, none))(v);
    };
    const auto [products, squares] = vmap(inner)(m);
    check_close(products, m(all, newaxis) * v(all, newaxis));
    check_close(squares, m * m);
}
TEST_CASE("out_axes none: what differs between members is refused") {
    const auto f = [](auto x) { return x * x; };
    CHECK_THROWS_WITH_AS(vmap(f, in_axes(0), out_axes(none))(m), doctest::Contains("the same for all members"),
                         value_error);
    CHECK_THROWS_AS(vmap(f, in_axes(0), out_axes(none), vmap_options{.chunk_size = 3})(m), value_error);
    CHECK_THROWS_AS(vmap(f, in_axes(0), out_axes(none), vmap_options{.chunk_size = 1})(m), value_error);
}
