// std::vectors of arrays under vmap, in ensembles, and in Jacobians and Hessians.
#include "derivatives.hpp"
#include "layer.hpp"

using namespace derivative_checks;

namespace mapped_vectors {

const std::vector parameters{layer{spread({3, 4}), spread({4}, 3)}, layer{spread({4, 2}, 5), spread({2}, 9)}};
const auto rows = spread({5, 3}, 21);

const auto apply = [](const auto& layers, const auto& x) {
    auto h = lift(x, layers);
    for (const auto& l : layers) h = tanh(matmul(h, l.weight) + l.bias);
    return h;
};
const auto loss = [](const auto& layers, const auto& x) { return sum(square(apply(layers, x))); };

/// f = sum(x^3) sum(y^2), of which every derivative is known.
const auto product = [](const auto& list) { return sum(list[0] * list[0] * list[0]) * sum(square(list[1])); };
const std::vector point{tensor<double, 1>{1, 2}, tensor<double, 1>{3, 4, 5}};

}  // namespace mapped_vectors
using namespace mapped_vectors;

TEST_CASE("mapped vectors: per-sample gradients, whole and in chunks") {
    const auto whole = vmap(grad(loss), in_axes(none, 0))(parameters, rows);
    const auto chunks = vmap(grad(loss), in_axes(none, 0), {.chunk_size = 2})(parameters, rows);
    for (index_t i = 0; i < 5; ++i) {
        const auto one = grad(loss)(parameters, rows(i));
        for (std::size_t k = 0; k < 2; ++k) {
            check_close(whole[k].weight(i), one[k].weight);
            check_close(chunks[k].bias(i), one[k].bias);
        }
    }
}
TEST_CASE("mapped vectors: ensembles") {
    const auto twice = tree_map([](auto a) { return 2 * a; }, parameters);
    const auto stacked = stack_state({parameters, twice});
    const auto outputs = vmap(apply, in_axes(0, none))(stacked, rows);
    check_close(outputs(0), apply(parameters, rows));
    check_close(outputs(1), apply(twice, rows));
    const auto back = unstack_state(stacked);
    REQUIRE(back.size() == 2);
    check_close(back[1][0].weight, twice[0].weight);
    CHECK_THROWS_AS(stack_state({parameters, std::vector{parameters[0]}}), shape_error);
}
TEST_CASE("mapped vectors: axes along which they are mapped") {
    const std::vector columns{spread({2, 6}), spread({3, 6}, 4)};
    const auto f = [](const auto& list) { return sum(list[0]) * list[1]; };
    const auto y = vmap(f, in_axes(-1), out_axes(1))(columns);
    check_close(y, sum(columns[0], 0) * columns[1]);
    CHECK_THROWS_AS(vmap(f)(columns), shape_error);
    CHECK_THROWS_AS(vmap(f)(std::vector<tensor<double, 2>>{}), value_error);
    const auto pairs = vmap([](const auto& x) { return std::vector{evaluate(x * x), evaluate(2 * x)}; })(rows);
    check_close(pairs[0], square(rows));
    check_close(pairs[1], 2 * rows);
}
TEST_CASE("mapped vectors: Hessians are vectors of vectors") {
    const auto h = hessian(product)(point);
    check_close(h[0][0], tensor<double, 2>{{300, 0}, {0, 600}});           // 6 x sum(y^2)
    check_close(h[0][1], tensor<double, 2>{{18, 24, 30}, {72, 96, 120}});  // 3 x^2 2 y
    check_close(h[1][0], tensor<double, 2>{{18, 72}, {24, 96}, {30, 120}});
    check_close(h[1][1], 18 * eye<double>(3));  // 2 sum(x^3)
}
TEST_CASE("mapped vectors: Jacobians of vectors, forward and reverse") {
    const auto f = [](const auto& list) {  // (x sum(x), y sum(x))
        std::vector<std::remove_cvref_t<decltype(list[0])>> r;
        for (const auto& a : list) r.push_back(a * sum(list[0]));
        return r;
    };
    const auto check = [](const auto& j) {
        check_close(j[0][0], tensor<double, 2>{{4, 1}, {2, 5}});
        check_close(j[0][1], zeros<double>({2, 3}));
        check_close(j[1][0], tensor<double, 2>{{3, 3}, {4, 4}, {5, 5}});
        check_close(j[1][1], 3 * eye<double>(3));
    };
    check(jacfwd(f)(point));
    check(jacrev(f)(point));
}
