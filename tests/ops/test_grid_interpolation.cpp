// map_coordinates, interpn: SciPy's values, derivatives, batches, errors.
#include <doctest/doctest.h>
#include <ricci/scientific.hpp>

#include <cmath>
#include <limits>

using namespace ricci;

namespace {

tensor<double, 2> powers() { return evaluate(pow(reshape(arange(12.0), {3, 4}), 1.5)); }
const tensor<double, 2> coordinates{{0, 0.5, 1.2, 2, 2.5, -0.1}, {0, 1.5, 2.9, 3, 1, 1}};
const tensor<double, 1> rows{0, 1, 3}, columns{-1, 0, 0.5, 2};
const tensor<double, 2> places{{0.5, 0.25}, {3, 2}, {0, -1}, {2.2, 1.1}};

template <class A>
bool close(const A& a, const tensor<double, 1>& b) {
    return allclose(a, b, 1e-13, 1e-13);
}

}  // namespace

TEST_CASE("map_coordinates: SciPy's of order 0 and 1, padded by a value and by the nearest element") {
    const auto v = powers();
    CHECK(close(map_coordinates(v, coordinates), {0, 7.426426367236052, 21.709714301238826, 36.4828726939094, 0, 0}));
    CHECK(close(map_coordinates(v, coordinates, {.padding = pad_mode::replicate}),
                {0, 7.426426367236052, 21.709714301238826, 36.4828726939094, 27, 1}));
    CHECK(close(map_coordinates<0>(v, coordinates, {.padding = pad_mode::replicate}),
                {0, 14.696938456699069, 18.520259177452132, 36.4828726939094, 27, 1}));
    CHECK(close(map_coordinates(v, coordinates, {.value = -3}),
                {0, 7.426426367236052, 21.709714301238826, 36.4828726939094, -3, -3}));
    CHECK(map_coordinates(tensor<int, 1>{1, 2}, tensor<float, 2>{{0.5f}}).item() == 1.5);
    CHECK(map_coordinates(tensor<double, 1>{7}, tensor<double, 2>{{0}}).item() == 7);
    CHECK(std::isnan(map_coordinates(v, tensor<double, 2>{{NAN}, {1}}).item()));
    CHECK(std::isnan(map_coordinates<0>(v, tensor<double, 2>{{NAN}, {1}}).item()));
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(map_coordinates(v, tensor<double, 2>{{inf}, {1}}).item() == 0);
    const auto cube = reshape(arange(8.0), {2, 2, 2});
    CHECK(map_coordinates(cube, full({3, 1}, 0.5)).item() == 3.5);
    CHECK(map_coordinates(v, zeros<double>({2, 5, 6})).shape() == shape<2>{5, 6});
    CHECK_THROWS_WITH_AS(map_coordinates(v, zeros<double>({3, 5})),
                         "[map_coordinates] coordinates (3, 5) of an x (3, 4): 3 != 2", shape_error);
    CHECK_THROWS_AS(map_coordinates(zeros<double>({0, 2}), coordinates), value_error);
    CHECK_THROWS_AS(map_coordinates(v, coordinates, {.padding = pad_mode::reflect}), value_error);
}

TEST_CASE("interpn: SciPy's linear and nearest") {
    const auto v = powers();
    const auto grid = std::make_tuple(rows, columns);
    CHECK(close(interpn(grid, v, places), {7.426426367236052, 36.4828726939094, 0, 26.630595721144545}));
    CHECK(close(interpn<0>(grid, v, places), {1, 36.4828726939094, 0, 31.622776601683793}));
    CHECK(interpn(grid, v, tensor<double, 1>{3, 2}).item() == v(2, 3).item());
    CHECK(interpn(grid, v, zeros<double>({2, 3, 2})).shape() == shape<2>{2, 3});
    const tensor<double, 2> out{{-1, 0}, {0, 0}};
    CHECK(close(interpn(grid, v, out, {.outside = -7.0}), {-7, 1}));
    CHECK_THROWS_WITH_AS(interpn(grid, v, out), "[interpn] a place lies outside the grid", value_error);
    CHECK_THROWS_WITH_AS(interpn(std::make_tuple(flip(rows), columns), v, places),
                         "[interpn] the places of an axis must ascend", value_error);
    CHECK_THROWS_AS(interpn(std::make_tuple(columns, columns), v, places), shape_error);
    CHECK_THROWS_AS(interpn(grid, v, zeros<double>({4, 3})), shape_error);
}

TEST_CASE("grids: derivatives in values, places and the grid's, batches") {
    const auto v = powers();
    const auto inner = places(slice(0, 4, 3));  // between the grid's lines
    const auto f = [](const auto& p, const auto& x, const auto& at) {
        const auto once = interpn(std::make_tuple(p, columns), x, at);
        return concat(std::make_tuple(once, map_coordinates(x, matrix_transpose(at))), 0);
    };
    CHECK(gradcheck(f, std::make_tuple(rows, v, evaluate(inner * 0.8))));
    CHECK(gradgradcheck<gradcheck_mode::backward>(f, std::make_tuple(rows, v, evaluate(inner * 0.8))));
    const auto each = [](const auto& x, const auto& at) { return interpn(std::make_tuple(rows, columns), x, at); };
    const auto stacked = stack(std::make_tuple(v, evaluate(2 * v)));
    CHECK(allclose(vmap(each, in_axes(0, none))(stacked, places)(1), 2 * each(v, places), 1e-13, 1e-13));
    CHECK(allclose(vmap(each, in_axes(none, 0))(v, places), each(v, places), 1e-13, 1e-13));
}
