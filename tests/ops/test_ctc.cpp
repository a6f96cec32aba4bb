// ctc_loss: PyTorch's values, all paths one by one, derivatives, batches, refusals.
#include "../transforms/mapped.hpp"
#include "close_calls.hpp"

using namespace mapped;

namespace {

const tensor<int, 2> targets{{1, 2, 2}, {3, 1, 4}, {4, 0, 0}, {2, 2, 2}};
const tensor<int, 1> steps{6, 5, 4, 4}, lengths{3, 3, 1, 3};

auto numbers() { return calls::numbers(reference::layout::permuted, shape{6, 4, 5}, 1); }

/// Minus the logarithm of the sum over all paths of `steps` classes that spell a target.
double by_paths(const tensor<double, 2>& log_p, const std::vector<int>& target, int blank) {
    const auto n = log_p.shape()[0], classes = log_p.shape()[1];
    double sum = 0;
    std::vector<int> path(static_cast<std::size_t>(n), 0);
    while (true) {
        std::vector<int> spelled;
        double logarithm = 0;
        for (index_t t = 0, before = -1; t < n; ++t) {
            const int c = path[static_cast<std::size_t>(t)];
            if (c != blank && c != before) spelled.push_back(c);
            logarithm += log_p.at(t, c);
            before = c;
        }
        if (spelled == target) sum += std::exp(logarithm);
        std::size_t t = 0;
        while (t < path.size() && ++path[t] == classes) path[t++] = 0;
        if (t == path.size()) return -std::log(sum);
    }
}

}  // namespace

TEST_CASE("ctc_loss: PyTorch's values") {
    const double inf = std::numeric_limits<double>::infinity();
    const auto log_p = log_softmax(numbers(), 2);
    const auto each = [](const auto& y, const tensor<double, 1>& expected) { CHECK(allclose(y, expected, 1e-13)); };
    each(ctc_loss<reduction::none>(log_p, targets, steps, lengths),
         {6.199742599943778, 5.355806103329632, 6.482623446709395, inf});
    CHECK(ctc_loss(log_p, targets, steps, lengths).item() == inf);
    CHECK(ctc_loss<reduction::sum>(log_p, targets, steps, lengths, {.zero_infinity = true}).item() ==
          doctest::Approx(18.038172149982806).epsilon(1e-13));
    CHECK(ctc_loss(log_p, targets, steps, lengths, {.zero_infinity = true}).item() ==
          doctest::Approx(2.5836182536167995).epsilon(1e-13));
    const tensor<int, 2> other{{1, 2, 2}, {3, 1, 0}, {3, 0, 0}, {2, 2, 2}};
    CHECK(ctc_loss(log_p, other, steps, tensor{3, 3, 1, 2}, {.blank = 4}).item() ==
          doctest::Approx(3.1652802424187128).epsilon(1e-13));
    each(ctc_loss<reduction::none>(log_p, targets, tensor{6, 5, 4, 0}, tensor{0, 2, 1, 0}),
         {8.755545672752346, 6.460013076775598, 6.482623446709395, 0});
    CHECK(ctc_loss(log_p(all, 0), targets(0), 6, 3).item() == doctest::Approx(2.066580866647926).epsilon(1e-13));
    CHECK(ctc_loss<reduction::none>(log_p(all, 0), targets(0), 6, 3).item() ==
          doctest::Approx(6.199742599943778).epsilon(1e-13));
    const auto single = ctc_loss<reduction::none>(astype<float>(log_p), targets, steps, lengths);
    static_assert(std::is_same_v<decltype(single)::value_type, float>);
    CHECK(allclose(single(slice(0, 3)), tensor{6.199742f, 5.355806f, 6.482623f}, 1e-5));
}

TEST_CASE("ctc_loss: all paths one by one") {
    const auto log_p = log_softmax(calls::numbers(reference::layout::reversed, shape{5, 3}, 2), 1);
    for (const std::vector<int>& target : {std::vector<int>{}, {1}, {1, 1}, {2, 1}, {1, 1, 2}, {1, 2, 1}, {1, 1, 1}}) {
        const auto k = index_t(target.size());
        CHECK(ctc_loss<reduction::sum>(log_p, k == 0 ? zeros<int>({0}) : from_span(target), 5, k).item() ==
              doctest::Approx(by_paths(log_p, target, 0)).epsilon(1e-13));
    }
    const auto sure = log(tensor<double, 2>{{0, 1}, {1, 0}, {0, 1}});  // logarithms of 0
    CHECK(ctc_loss<reduction::sum>(sure, tensor{1, 1}, 3, 2).item() == doctest::Approx(0));
    CHECK(std::isinf(ctc_loss<reduction::sum>(sure, tensor{1}, 3, 1).item()));
}

TEST_CASE("ctc_loss: derivatives") {
    const auto x = numbers();
    const auto loss = [](auto a) {
        return ctc_loss<reduction::sum>(log_softmax(a, 2), targets, steps, lengths, {.zero_infinity = true});
    };
    const auto slopes = grad(loss)(x);
    const tensor<double, 2> first{
        // torch's
        {0.0477704663112298, -0.7638799483064848, 0.564153837785039, 0.040867166939088755, 0.11108847727112722},
        {0.10300279034149519, 0.02222348202862861, 0.06040968736350731, -0.6320065285814485, 0.4463705688478175},
        {-0.48132146301644796, 0.08326062739839397, 0.22632585048315365, 0.6152174466788954, -0.44348246154399507},
        {0, 0, 0, 0, 0}};
    CHECK(allclose(slopes(0), first, 1e-12, 1e-14));
    CHECK(all(slopes(5, slice(1, none)) == 0).item());
    CHECK(gradgradcheck([=](auto a) { return loss(expand_dims(a, 2) * x); }, ricci::tuple(x(all, all, 0))));
    CHECK(all(isfinite(grad([](auto a) { return ctc_loss(a, tensor<int, 1>{1, 1}, 3, 2); })(
                  log(tensor<double, 2>{{0, 1}, {1, 0}, {0, 1}}))))
              .item());
}

TEST_CASE("ctc_loss: batches") {
    const auto x = spread({3, 5, 2, 4});
    const tensor<int, 2> k{{1, 2}, {3, 3}};
    check_vmap(
        [=](auto a) {
            return ctc_loss<reduction::none>(log_softmax(a, 2), k, tensor<int, 1>{5, 4}, tensor<int, 1>{2, 2});
        },
        x);
    check_vmap(
        [](auto a) {
            return ctc_loss(a, 1 + argmax(a(slice(0, 2), all, slice(1, none)), 2).T(), 5, tensor<int, 1>{1, 2});
        },
        x);
}

TEST_CASE("ctc_loss: batches of one of the two lengths alone") {
    const auto log_p = log_softmax(spread({5, 2, 4}), 2);
    const tensor<int, 2> k{{1, 2}, {3, 1}};
    const tensor<int, 1> two{2, 1};
    check_vmap([=](auto a) { return ctc_loss(log_p, k, a, two); }, tensor<int, 2>{{5, 4}, {3, 5}});
    check_vmap([=](auto a) { return ctc_loss(log_p, k, 5, a); }, tensor<int, 2>{{1, 2}, {2, 0}});
}

TEST_CASE("ctc_loss: refusals") {
    const auto log_p = log_softmax(numbers(), 2);
    CHECK_THROWS_WITH_AS(ctc_loss(log_p, targets(slice(0, 3)), steps, lengths),
                         "[ctc_loss] targets of shape (3, 3) for logarithms of shape (6, 4, 5)", shape_error);
    CHECK_THROWS_WITH_AS(ctc_loss(log_p, targets, steps, lengths, {.blank = 5}),
                         "[ctc_loss] the blank 5 is none of 5 classes", value_error);
    CHECK_THROWS_WITH_AS(ctc_loss(log_p, targets, 7, lengths),
                         "[ctc_loss] an input's length 7 does not lie between 0 and 6", value_error);
    CHECK_THROWS_WITH_AS(ctc_loss(log_p, targets, steps, 4),
                         "[ctc_loss] a target's length 4 does not lie between 0 and 3", value_error);
    CHECK_THROWS_AS(ctc_loss(log_p, targets + 3, steps, lengths), index_error);
    CHECK_THROWS_WITH_AS(ctc_loss(log_p, -targets, steps, lengths), "[ctc_loss] class -4 does not lie between 0 and 4",
                         index_error);  // no class counted from the last one
    CHECK_THROWS_WITH_AS(ctc_loss(log_p, 0 * targets, steps, lengths),
                         "[ctc_loss] the blank is no label that targets can have", value_error);
    CHECK_THROWS_AS(ctc_loss(log_p, targets, tensor<int, 1>{1, 2}, lengths), shape_error);
}
