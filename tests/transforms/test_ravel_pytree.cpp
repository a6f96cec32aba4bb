// Structures of arrays as vectors and back.
#include <map>
#include <string>

#include "derivatives.hpp"
#include "layer.hpp"

using namespace derivative_checks;

TEST_CASE("ravel_pytree: the elements in order, and back") {
    const layer m{tensor<double, 2>{{1, 2}, {3, 4}}, tensor<double, 1>{5, 6}};
    const auto [flat, unravel] = ravel_pytree(m);
    check_close(flat, tensor<double, 1>{1, 2, 3, 4, 5, 6});
    const auto back = unravel(10.0 * flat);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(back)>, std::remove_cvref_t<decltype(m)>>);
    check_close(back.weight, 10.0 * m.weight);
    check_close(back.bias, 10.0 * m.bias);
    CHECK_THROWS_WITH_AS(unravel(zeros<double>({5})), "[ravel_pytree] the structure has 6 elements and the vector 5",
                         shape_error);
}
TEST_CASE("ravel_pytree: of an array, numbers, several element types, vectors and maps") {
    check_close(ravel_pytree(tensor<double, 2>{{1, 2}, {3, 4}}).flat, tensor<double, 1>{1, 2, 3, 4});
    const auto mixed =
        ricci::tuple(tensor<float, 1>{1, 2}, 3.5, std::vector{tensor<float, 1>{4}, tensor<float, 1>{5, 6}});
    const auto [flat, unravel] = ravel_pytree(mixed);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(flat)>::value_type, double>);
    check_close(flat, tensor<double, 1>{1, 2, 3.5, 4, 5, 6});
    const auto [a, b, c] = unravel(-flat);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(a)>::value_type, float>);
    check_close(a, tensor<float, 1>{-1, -2});
    CHECK(b.item() == -3.5);
    REQUIRE(c.size() == 2);
    check_close(c[1], tensor<float, 1>{-5, -6});
    const std::map<std::string, tensor<double, 1>> named{{"w", {1, 2}}, {"b", {3}}};
    const auto [row, rebuild] = ravel_pytree(named);
    check_close(row, tensor<double, 1>{3, 1, 2});
    check_close(rebuild(row + 1.0).at("w"), tensor<double, 1>{2, 3});
    CHECK(ravel_pytree(std::vector<tensor<double, 1>>{}).flat.size() == 0);
}
TEST_CASE("ravel_pytree: derivatives go through it both ways") {
    const auto loss = [](auto p) { return sum(exp(p.weight)) * sum(square(p.bias)); };
    const layer m{tensor<double, 2>{{0.1, 0.2}}, tensor<double, 1>{5, 6}};
    const auto [flat, unravel] = ravel_pytree(m);
    const auto of_vector = [u = unravel, loss](auto v) { return loss(u(v)); };
    check_close(grad(of_vector)(flat), ravel_pytree(grad(loss)(m)).flat);
    const auto h = hessian(of_vector)(flat);
    check_close(h(slice(0, 2), slice(0, 2)), diag(61.0 * exp(flat(slice(0, 2)))));
    check_close(h, h.T());
    const auto length = [](auto p) { return sum(square(ravel_pytree(p).flat)); };
    check_close(grad(length)(m).bias, 2.0 * m.bias);
    check_close(vmap(of_vector)(stack(ricci::tuple(flat, 2.0 * flat))),
                stack({evaluate(of_vector(flat)), evaluate(of_vector(2.0 * flat))}));
}
