// Optimizers: torch's steps, structures and variables, what they cannot write to.
#include <doctest/doctest.h>
#include <ricci/solvers.hpp>

#include <vector>

#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto loss = [](auto p) {
    const auto& [w, b] = p;
    return sum(pow(w, 4)) + sum(sin(3 * b)) * w(0);
};
/// Where four steps lead from torch's start.
template <class Make>
void check_steps(const Make& make, const tensor<double, 1>& expected) {
    const auto model = ricci::tuple(tensor<double, 1>{1, -2, 0.5}, tensor<double, 2>{{0.3, -0.1}});
    auto optimizer = make(model);
    for (int i = 0; i < 4; ++i) optimizer.step(model, grad(loss)(model));
    check_close(ravel_pytree(model).flat, expected, 1e-13);
}

}  // namespace

TEST_CASE("optim: torch's parameters after four steps") {
    check_steps(
        [](const auto& p) { return optim::sgd(p, {.lr = 0.01}); },
        {0.8540909432338114, -1.2577686067077614, 0.48086251788934076, 0.2231335356965113, -0.20250955216922487});
    check_steps(
        [](const auto& p) {
            return optim::sgd(p, {.lr = 0.01, .momentum = 0.9, .dampening = 0.2, .weight_decay = 0.1});
        },
        {0.6952554585544838, -0.34710074143208813, 0.4580774820178433, 0.14732025979579316, -0.3041821686078124});
    check_steps(
        [](const auto& p) { return optim::sgd(p, {.lr = 0.01, .momentum = 0.9, .nesterov = true}); },
        {0.6228975408052246, -0.21955876259296445, 0.4440088970190716, 0.06737265926090384, -0.37880388395172887});
    check_steps(
        [](const auto& p) { return optim::adam(p, {.lr = 0.1, .weight_decay = 0.2}); },
        {0.6323371488231466, -1.6060917158636072, 0.14085817178286592, -0.10052183548692174, -0.47990058181391293});
    check_steps(
        [](const auto& p) { return optim::adamw(p, {.lr = 0.1}); },  // torch's default: weights decay by 0.01
        {0.631641647607901, -1.598955321022639, 0.14881645340338032, -0.10117072335511046, -0.4803356023895834});
    check_steps(
        [](const auto& p) { return optim::rmsprop(p, {.lr = 0.05}); },
        {0.7764068851995185, -1.0884799265891933, 9.99999802408936e-08, -0.5185725148503965, -0.523508573321197});
    check_steps(
        [](const auto& p) {
            return optim::rmsprop(
                p, {.lr = 0.05, .alpha = 0.9, .eps = 1e-4, .weight_decay = 0.1, .momentum = 0.5, .centered = true});
        },
        {0.5868895577541897, -1.3172645098718605, 0.059877490599821795, -0.4737010753499742, -0.5998547590826374});
    check_steps(
        [](const auto& p) {
            return optim::adagrad(p,
                                  {.lr = 0.1, .lr_decay = 0.3, .weight_decay = 0.1, .initial_accumulator_value = 0.5});
        },
        {0.8177384722813653, -1.7946232210768207, 0.37565574093695575, 0.08317459625222426, -0.291866043763488});
}
TEST_CASE("optim: one array, lists, other element types, an lr that changes") {
    const tensor<float, 1> w{1, 2};
    optim::sgd descent(w, {.lr = 0.5});
    descent.step(w, tensor<float, 1>{1, 1});
    check_close(w, tensor<float, 1>{0.5, 1.5});
    descent.options.lr = 1;
    descent.step(w, tensor<float, 1>{1, 1});
    check_close(w, tensor<float, 1>{-0.5, 0.5});
    const std::vector<tensor<double, 1>> layers{{1, 2}, {3}};
    optim::adamw adam(layers);
    CHECK(adam.options.weight_decay == 0.01);
    adam.step(layers, std::vector<tensor<double, 1>>{{1, -1}, {0}});
    check_close(layers[0], tensor<double, 1>{1 * (1 - 1e-5) - 1e-3, 2 * (1 - 1e-5) + 1e-3}, 1e-9);
    check_close(layers[1], tensor<double, 1>{3 * (1 - 1e-5)});
}
TEST_CASE("optim: variables, by their values and gradients") {
    variable<double, 1> w = tensor<double, 1>{3, -1};
    optim::adam adam(w.value(), {.lr = 0.1});
    for (int i = 0; i < 200; ++i) {
        w.zero_grad();
        sum(square(w - 1.0)).backward();
        adam.step(w.value(), w.grad());
    }
    check_close(w.value(), ones<double>({2}), 1e-2);
}
