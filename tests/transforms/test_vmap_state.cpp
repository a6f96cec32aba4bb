// Ensembles and per-sample gradients: models as structs, stacked and taken apart; results that are structs.
#include "layer.hpp"
#include "mapped.hpp"

using namespace mapped;

namespace {

auto make_network(int seed) {
    return network{layer{spread({4, 3}, seed), spread({4}, seed + 13)},
                   layer{spread({2, 4}, seed + 29), spread({2}, seed + 3)}};
}
const auto apply = [](const auto& l, const auto& x) { return matmul(l.weight, x) + l.bias; };
const auto predict = [](const auto& n, const auto& x) { return apply(n.second, evaluate(tanh(apply(n.first, x)))); };
const auto loss = [](const auto& n, const auto& x, const auto& y) { return sum(square(predict(n, x) - y)); };

const auto x0 = spread({3}, 8);
const auto rows = spread({5, 3}, 21);
const auto targets = spread({5, 2}, 17);

template <class N, class M>
void check_networks(const N& actual, const M& expected) {
    check_close(actual.first.weight, expected.first.weight);
    check_close(actual.first.bias, expected.first.bias);
    check_close(actual.second.weight, expected.second.weight);
    check_close(actual.second.bias, expected.second.bias);
}

}  // namespace

TEST_CASE("stack_state, unstack_state: there and back") {
    const auto a = make_network(1), b = make_network(2), c = make_network(3);
    const auto stacked = stack_state({a, b, c});
    CHECK(stacked.first.weight.shape() == shape<3>{3, 4, 3});
    CHECK(stacked.second.bias.shape() == shape<2>{3, 2});
    check_networks(stack_state(std::vector{a, b, c}), stacked);
    check_networks(stack_state(std::array{a, b, c}), stacked);
    const auto models = unstack_state(stacked);
    REQUIRE(models.size() == 3);
    check_networks(models[0], a);
    check_networks(models[2], c);
}
TEST_CASE("an ensemble evaluated at once is its models, one after the other") {
    const std::vector models{make_network(1), make_network(5), make_network(9)};
    const auto stacked = stack_state(models);
    const auto one_input = vmap(predict, in_axes(0, none))(stacked, x0);
    const auto own_inputs = vmap(predict, in_axes(0, 0), {.chunk_size = 2})(stacked, rows(slice(0, 3)));
    for (index_t i = 0; i < 3; ++i) {
        check_close(one_input(i), predict(models[i], x0));
        check_close(own_inputs(i), predict(models[i], rows(i)));
    }
}
TEST_CASE("the gradients of an ensemble, by vmap and through stack_state") {
    const std::vector models{make_network(1), make_network(5)};
    const auto of_all = vmap(grad(loss), in_axes(0, none, none), {.chunk_size = 1});
    const auto gradients = unstack_state(of_all(stack_state(models), x0, targets(0)));
    for (std::size_t i = 0; i < 2; ++i) check_networks(gradients[i], grad(loss)(models[i], x0, targets(0)));
    const auto total = [](const auto& n) {
        return sum(square(vmap(predict, in_axes(0, none))(stack_state({n, n}), x0)));
    };
    check_networks(grad(total)(models[0]), grad([](const auto& n) { return 2 * sum(square(predict(n, x0))); })(models[0]));
}
TEST_CASE("per-sample gradients of a two-layer network are those of a loop") {
    const auto n = make_network(4);
    for (index_t chunk : {1, 2, 5}) {
        CAPTURE(chunk);
        const auto all = unstack_state(vmap(grad(loss), in_axes(none, 0, 0), {.chunk_size = chunk})(n, rows, targets));
        REQUIRE(all.size() == 5);
        for (index_t i = 0; i < 5; ++i) check_networks(all[i], grad(loss)(n, rows(i), targets(i)));
    }
}
TEST_CASE("stack_state: refusals") {
    const auto wide = layer{spread({2, 3}), spread({2})}, narrow = layer{spread({2, 2}), spread({2})};
    CHECK_THROWS_WITH_AS(stack_state({wide, narrow}),
                         "[stack_state] the arrays must have the same shape: array 1 has (2, 2), array 0 has (2, 3)",
                         shape_error);
    CHECK_THROWS_AS(stack_state(std::vector<std::remove_cvref_t<decltype(wide)>>{}), value_error);
    CHECK_THROWS_WITH_AS(unstack_state(layer{spread({2, 3}), spread({3})}),
                         "[unstack_state] the leading axes differ in size: 2 and 3", shape_error);
}
