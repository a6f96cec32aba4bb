// Hessians of functions whose result is an array with axes: jacfwd(jacrev(f)), as jax.hessian has it.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

TEST_CASE("hessian: of an array of results the Hessian of each") {
    const tensor<double, 1> x{1, 2, 3};
    const tensor<double, 2> w{{1, -1, 2}, {0.5, 3, -2}};
    const auto f = [](auto v, auto m) { return sin(matmul(m, v)) * v(0); };
    const auto h = hessian(f)(x, w);
    REQUIRE(h.shape() == shape{2, 3, 3});
    for (index_t i = 0; i < 2; ++i)
        CHECK(allclose(h(i), hessian([&](auto v) { return evaluate(f(v, w)(i)); })(x), 1e-14, 1e-15));
    CHECK(allclose(hessian(f, argnums<1>, {.chunk_size = 2})(x, w), jacfwd(jacrev(f, argnums<1>), argnums<1>)(x, w)));
    const auto squares = hessian([](auto v) { return v * v; })(x);
    CHECK(squares.at(1, 1, 1) == 2);
    CHECK(sum(squares).item() == 6);
}
