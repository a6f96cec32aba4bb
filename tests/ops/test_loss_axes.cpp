// Losses of classes along another axis than the last, as pictures have them. Golden values: torch 2.
#include <doctest/doctest.h>

#include <ricci/grad/gradcheck.hpp>
#include <ricci/grad/transforms.hpp>
#include <ricci/ops/compare.hpp>
#include <ricci/ops/loss.hpp>
#include <ricci/vmap/vmap.hpp>

using namespace ricci;

namespace {

const tensor<double, 4> x = sin(arange(24.0)).reshape(2, 3, 2, 2);
const tensor<double, 4> p = softmax(cos(arange(24.0)).reshape(2, 3, 2, 2), 1);
const tensor<int, 3> classes{{{0, 2}, {1, -1}}, {{2, 2}, {0, 1}}};
const tensor<double, 1> w{1, 2, 0.5};

}  // namespace

TEST_CASE("losses: classes along axis 1, as torch has them") {
    const class_options options{.ignore_index = -1, .label_smoothing = 0.1, .axis = 1};
    const auto loss = [=](auto a) { return cross_entropy(a, classes, w, options); };
    CHECK(loss(x).item() == doctest::Approx(1.1663635542684987).epsilon(1e-13));
    CHECK(allclose(grad(loss)(x)(1, all, 0, 1),
                   tensor{0.022853492079799635, -0.0020320496347419493, -0.02082144245505768}, 1e-12));
    CHECK(gradcheck(loss, ricci::tuple(x)));
    CHECK(nll_loss(log_softmax(x, 1), classes, {.ignore_index = -1, .axis = 1}).item() ==
          doctest::Approx(0.9485722936937846).epsilon(1e-13));
    CHECK(nll_loss(log_softmax(x, 1), classes, ones({3}), {.ignore_index = -1, .axis = -3}).item() ==
          doctest::Approx(0.9485722936937846).epsilon(1e-13));
    CHECK(allclose(cross_entropy<reduction::none>(x, classes, {.ignore_index = -1, .axis = 1})(1),
                   tensor{{0.4289355597652648, 0.6015685049828331}, {0.43393553802443496, 1.1048316676922423}}, 1e-13));
    CHECK(cross_entropy(x, p, {.axis = 1}).item() == doctest::Approx(1.3108998680815198).epsilon(1e-13));
    CHECK(cross_entropy(x, p, w, {.axis = 1}).item() == doctest::Approx(1.865278814996147).epsilon(1e-13));
}
TEST_CASE("losses: classes along axis 0 of a float matrix, in batches") {
    const auto scores = astype<float>(x.reshape(2, 3, 4));
    const tensor<std::int64_t, 1> k{0, 2, 1, 1};
    const auto of_columns = [=](auto a) { return cross_entropy(a, k, {.axis = 0}); };
    const auto losses = vmap(of_columns)(scores);
    for (int i = 0; i < 2; ++i)
        CHECK(losses.at(i) == doctest::Approx(cross_entropy(matrix_transpose(scores(i)), k).item()).epsilon(1e-6));
}
TEST_CASE("losses: an error about rows names the axis") {
    CHECK_THROWS_WITH_AS(
        cross_entropy(x, classes),
        "[cross_entropy] classes of shape (2, 2, 2) for the rows of shape (2, 3, 2, 2): 2 != 3: the classes are "
        "along its last axis; {.axis = 1} says that they are along axis 1, as torch has them",
        shape_error);
    CHECK_THROWS_WITH_AS(cross_entropy(x, classes, w),
                         "[cross_entropy] weights of shape (3,) for the classes of shape (2, 3, 2, 2): the classes are "
                         "along its last axis; {.axis = 1} says that they are along axis 1, as torch has them",
                         shape_error);
    CHECK_THROWS_WITH_AS(cross_entropy(x, classes, {.axis = 4}), "[cross_entropy] axis 4 is out of range for rank 4",
                         index_error);
    CHECK_THROWS_AS(nll_loss(x, classes, w, {.axis = 4}), index_error);
}
