// logsumexp, softmax and log_softmax: against sums in long double, where naive ones overflow, derivatives, batches.
#include <ricci/ricci.hpp>

#include "../reference.hpp"
#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// log(sum(exp(x))) of a row in long double.
long double log_sum(const tensor<double, 1>& row) {
    long double largest = row.at(0), sum = 0;
    for (index_t i = 1; i < row.size(); ++i) largest = std::max<long double>(largest, row.at(i));
    for (index_t i = 0; i < row.size(); ++i) sum += std::exp(row.at(i) - largest);
    return std::log(sum) + largest;
}

}  // namespace

TEST_CASE("logsumexp, softmax, log_softmax: values") {
    for (const double scale : {1.0, 100.0, 1e4}) {
        const auto x = evaluate(scale * spread({3, 40}));
        const auto y = logsumexp(x, 1);
        const auto kept = logsumexp(x, -1, keepdims), p = softmax(x, 1), l = log_softmax(x, 1);
        for (index_t i = 0; i < 3; ++i) {
            const long double truth = log_sum(x(i));
            // the sum's error is a few roundings; that of adding the shift half a unit of the result
            CHECK(std::fabs(y.at(i) - double(truth)) <= 4e-16 * (4 + std::fabs(double(truth))));
            CHECK(kept.at(i, 0) == y.at(i));
            for (index_t j = 0; j < 40; ++j) {
                const long double exponent = x.at(i, j) - truth;
                CHECK(std::fabs(l.at(i, j) - double(exponent)) <= 4e-16 * (4 + std::fabs(double(exponent))));
                // rounding the exponent is an error of as many units of the result
                const double exact = double(std::exp(exponent)), units = 4 + std::fabs(double(exponent));
                CHECK(std::fabs(p.at(i, j) - exact) <= 2.3e-16 * units * exact + 1e-300);
            }
        }
        check_close(softmax(matrix_transpose(x), 0), matrix_transpose(p));
        check_close(logsumexp(x), logsumexp(y));
        check_close(logsumexp(reshape(x, {3, 4, 10}), {1, 2}), y);
    }
}

TEST_CASE("logsumexp, softmax, log_softmax: infinities, NaN, nothing, integers") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(logsumexp(tensor<double, 1>{-inf, -inf}).item() == -inf);
    CHECK(logsumexp(tensor<double, 1>{1, inf}).item() == inf);
    CHECK(std::isnan(logsumexp(tensor<double, 1>{1, nan, inf}).item()));
    CHECK(logsumexp(zeros<double>({2, 0}), 1).at(1) == -inf);
    CHECK(logsumexp(zeros<double>({0, 2}), 1).shape() == shape{0});
    CHECK(allclose(softmax(tensor<double, 1>{-inf, 0, 0}, 0), tensor<double, 1>{0, 0.5, 0.5}));
    CHECK(log_softmax(tensor<double, 1>{-inf, 0}, 0).at(0) == -inf);
    CHECK(std::isnan(softmax(tensor<double, 1>{-inf, -inf}, 0).at(0)));
    for (const index_t n : {2, 40}) {  // beside an infinity all is NaN, as PyTorch and SciPy have it, along either axis
        auto x = zeros<double>({n, n});
        x(all, n / 2) = inf;
        for (const auto& y : {softmax(x, 1), log_softmax(x, 1), softmax(matrix_transpose(x), 0)})
            CHECK(ricci::all(isnan(y)).item());
    }
    CHECK(softmax(zeros<float>({2, 0}), 1).shape() == shape{2, 0});
    CHECK(std::fabs(logsumexp(tensor<int, 1>{0, 0}).item() - std::log(2.0)) < 1e-15);
    CHECK_THROWS_AS(softmax(zeros<double>({2}), 1), index_error);
    CHECK_THROWS_AS(softmax(zeros<double>({2, 0}), 7), index_error);
    CHECK_THROWS_AS(log_softmax(zeros<double>({2, 0}), -3), index_error);
    // Unsigned integers have no negatives of their own.
    CHECK(allclose(softmin(tensor<std::uint8_t, 1>{0, 1}, 0), softmax(tensor{0.0, -1.0}, 0)));
    CHECK(allclose(softmin(tensor{std::numeric_limits<int>::min(), 0}, 0), tensor{1.0, 0.0}));
}

TEST_CASE("logsumexp, softmax, log_softmax: derivatives and batches") {
    const auto x = spread({4, 6});
    const auto w = spread({4, 6}, 11);
    check_close(grad([](auto v) { return logsumexp(v); })(x), exp(x - logsumexp(x)));
    const auto p = softmax(x, 1);
    check_close(grad([&](auto v) { return sum(softmax(v, 1) * w); })(x), p * (w - sum(p * w, 1, keepdims)));
    check_close(grad([&](auto v) { return sum(log_softmax(v, 1) * w); })(x), w - p * sum(w, 1, keepdims));
    const auto row = evaluate(x(0)), q = evaluate(p(0));
    check_close(hessian([](auto v) { return logsumexp(v); })(row), eye<double>(6) * q - q * expand_dims(q, 1));
    check_close(vmap([](auto v) { return softmax(v, 0); })(x), p);
    check_close(vmap(grad([](auto v) { return logsumexp(v); }))(x), p);
    CHECK(gradcheck([](auto v) { return log_softmax(v, 0); }, ricci::tuple(row)));
}
