// has_aux of vjp, jvp and the Jacobians: what is handed on beside what is differentiated. Of grad: test_argnums.cpp.
#include <string>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> x0{1, 2, 3}, b0{0.5, -1, 2};
const tensor<double, 2> diagonal_of_two{{2, 0, 0}, {0, 4, 0}, {0, 0, 6}};
constexpr auto squares = [](auto x) { return ricci::tuple(x * x, ricci::tuple(sum(x), x.size())); };
constexpr auto sum_of_cubes = [](auto x) { return ricci::tuple(sum(x * x * x), x > 1.5); };

}  // namespace

TEST_CASE("vjp: the pullback takes cotangents of the value alone") {
    const auto [value, pull, aux] = vjp(squares, x0, has_aux);
    CHECK(allclose(value, x0 * x0));
    CHECK(allclose(pull(b0), 2 * x0 * b0));
    CHECK(std::get<0>(aux) == 6.0);
    CHECK(std::get<1>(aux) == 3);
    CHECK(allclose(vmap(pull)(eye<double>(3)), diagonal_of_two));  // recorded anew under vmap
}
TEST_CASE("vjp: of several arguments and of structures") {
    const auto f = [](auto x, auto y) { return ricci::tuple(x * y, x + y); };
    const auto [value, pull, aux] = vjp(f, x0, b0, has_aux);
    const auto [x_bar, y_bar] = pull(x0);
    CHECK(allclose(x_bar, x0 * b0));
    CHECK(allclose(y_bar, x0 * x0));
    CHECK(allclose(aux, x0 + b0));
    const auto [same, pull_tuple, more] =
        vjp([&](auto xy) { return f(std::get<0>(xy), std::get<1>(xy)); }, ricci::tuple(x0, b0), has_aux);
    CHECK(allclose(same, value));
    CHECK(allclose(std::get<1>(pull_tuple(x0)), x0 * x0));
    CHECK(allclose(more, aux));
}
TEST_CASE("jvp: aux has no tangent") {
    const auto [value, tangent, aux] = jvp(squares, x0, b0, has_aux);
    CHECK(allclose(value, x0 * x0));
    CHECK(allclose(tangent, 2 * x0 * b0));
    CHECK(std::get<0>(aux) == 6.0);
    const auto product = [](auto x, auto y) { return ricci::tuple(x * y, sum(y)); };
    const auto [xy, along, total] = jvp(product, ricci::tuple(x0, b0), ricci::tuple(b0, x0), has_aux);
    CHECK(allclose(along, b0 * b0 + x0 * x0));
    CHECK(allclose(xy, x0 * b0));
    CHECK(total == 1.5);
}
TEST_CASE("hvp: aux beside the product, of one argument and of several") {
    const auto [product, aux] = hvp(sum_of_cubes, x0, b0, has_aux);
    CHECK(allclose(product, 6 * x0 * b0));
    CHECK(array_equal(aux, x0 > 1.5));
    const auto f = [](auto x, auto y) { return ricci::tuple(sum(x * x * y), std::string("aux")); };
    const auto [products, text] = hvp(f, ricci::tuple(x0, b0), ricci::tuple(b0, x0), has_aux);
    CHECK(allclose(std::get<0>(products), 2 * b0 * b0 + 2 * x0 * x0));
    CHECK(allclose(std::get<1>(products), 2 * x0 * b0));
    CHECK(text == "aux");
}
TEST_CASE("linearize") {
    const auto [value, push, aux] = linearize(squares, x0, has_aux);
    CHECK(allclose(value, x0 * x0));
    CHECK(allclose(push(b0), 2 * x0 * b0));
    CHECK(std::get<0>(aux) == 6.0);
}
TEST_CASE("Jacobians and Hessians") {
    const auto [forward, aux] = jacfwd(squares, has_aux)(x0);
    const auto [reverse, same] = jacrev(squares, has_aux, {.chunk_size = 2})(x0);
    CHECK(allclose(forward, diagonal_of_two));
    CHECK(allclose(reverse, diagonal_of_two));
    CHECK(std::get<0>(aux) == 6.0);
    CHECK(std::get<0>(same) == 6.0);
    const auto [second, above] = hessian(sum_of_cubes, has_aux)(x0);
    CHECK(allclose(second, 3 * diagonal_of_two));
    CHECK(all(above == tensor<bool, 1>{false, true, true}));
    const auto f = [](auto x, auto y) { return ricci::tuple(x * y, sum(y)); };
    const auto [of_y, total] = jacrev(f, argnums<1>, has_aux)(x0, b0);
    CHECK(allclose(of_y, diag(x0)));
    CHECK(total == 1.5);
}
TEST_CASE("arguments that are numbers and maps") {
    const auto f = [](auto x) { return ricci::tuple(x * x, x.size()); };
    const auto [slope, size] = jacfwd(f, has_aux)(3.0);
    CHECK(slope == 6.0);
    CHECK(size == 1);
    const auto [slopes, aux] = jacrev(squares, has_aux)(x0 + 1);
    CHECK(allclose(slopes, diagonal_of_two + 2 * eye<double>(3)));
    CHECK(jacfwd([](auto x) { return x * x; }, argnums<0>, {})(x0).shape() == shape<2>{3, 3});
}
TEST_CASE("aux that is no array") {
    const auto f = [](auto x) {
        return ricci::tuple(sum(x * x),
                            ricci::tuple(std::string("two"), 3, ricci::tuple(x + 1, true), std::vector{1, 2}));
    };
    const auto check = [](const auto& aux) {
        const auto& [text, number, inner, list] = aux;
        CHECK(text == "two");
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(number)>, int>);
        CHECK(number == 3);
        CHECK(allclose(std::get<0>(inner), x0 + 1));
        CHECK(std::get<1>(inner));
        CHECK(list.size() == 2);
    };
    const auto [slope, aux] = grad(f, has_aux)(x0);
    CHECK(allclose(slope, 2 * x0));
    check(aux);
    check(std::get<1>(std::get<0>(value_and_grad(f, has_aux)(x0))));
    check(std::get<2>(vjp(f, x0, has_aux)));
    check(std::get<2>(jvp(f, x0, b0, has_aux)));
    check(std::get<2>(linearize(f, x0, has_aux)));
    check(std::get<1>(jacrev(f, has_aux)(x0)));
    check(std::get<1>(hessian(f, has_aux)(x0)));
    const auto of_tuple = [&](auto p) { return f(std::get<0>(p)); };
    check(std::get<1>(grad(of_tuple, has_aux)(ricci::tuple(x0, b0))));
}
TEST_CASE("under other transforms") {
    const auto outer = [](auto x) {
        const auto [slopes, aux] = jacrev(squares, has_aux)(x);
        return sum(slopes * slopes) + std::get<0>(aux);
    };
    CHECK(allclose(grad(outer)(x0), 8 * x0 + 1));  // sum of 4 x^2, and of x
    const auto pulled = [](auto x) {
        const auto [value, pull, aux] = vjp(sum_of_cubes, x, has_aux);
        return sum(where(aux, pull(value), 0));
    };
    const auto closed = [](auto x) { return sum(where(x > 1.5, 3 * x * x, 0)) * sum(x * x * x); };
    CHECK(allclose(grad(pulled)(x0), grad(closed)(x0)));
    const auto [slopes, aux] = vmap(jacfwd(squares, has_aux))(stack({x0, b0}));
    CHECK(allclose(slopes(1), diag(2 * b0)));
    CHECK(allclose(std::get<0>(aux), tensor<double, 1>{6, 1.5}));
}
TEST_CASE("a function that changes its argument leaves the caller's as it is") {
    const auto f = [](auto x) {
        x += 1.0;
        return ricci::tuple(x * x, sum(x));
    };
    const auto x = x0.clone();
    const auto check = [&](const auto& slopes_and_aux) {
        const auto& [slopes, aux] = slopes_and_aux;
        CHECK(allclose(slopes, diag(2 * x0 + 2)));
        CHECK(aux == 9.0);
        CHECK(array_equal(x, x0));
    };
    check(jacfwd(f, has_aux)(x));
    check(jacrev(f, has_aux)(x));
    const auto [value, push, aux] = linearize(f, x, has_aux);
    CHECK(allclose(value, (x0 + 1) * (x0 + 1)));
    CHECK(allclose(push(b0), 2 * (x0 + 1) * b0));
    CHECK(aux == 9.0);
    CHECK(array_equal(x, x0));
}
