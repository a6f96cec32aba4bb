// Distances of rows, their kernels and rules.
#include "../transforms/mapped.hpp"

using namespace mapped;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
double distance(const tensor<T, 2>& x, index_t i, const tensor<T, 2>& y, index_t j, double p) {
    double all = 0;
    for (index_t c = 0; c < x.shape()[1]; ++c) {
        const double size = std::abs(static_cast<double>(x.at(i, c)) - static_cast<double>(y.at(j, c)));
        all = p == 1 ? all + size : p == 2 ? all + size * size : std::max(all, size);
    }
    return p == 2 ? std::sqrt(all) : all;
}
double slope(double difference, double distance, double p) {
    return p == 1 ? (difference > 0) - (difference < 0) : distance == 0 ? 0 : difference / distance;
}
/// Values and gradients of cdist and pdist beside loops.
template <class T>
void compare(index_t m, index_t n, index_t k, double p) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    CAPTURE(p);
    const tensor<T, 2> x = randn<T>({m, k}, generator(1)), y = randn<T>({n, k}, generator(2));
    const tensor<T, 2> c = randn<T>({m, n}, generator(3));
    tensor<double, 2> d = zeros({m, n}), x_bar = zeros({m, k}), y_bar = zeros({n, k}), own_bar = zeros({m, k});
    tensor<double, 1> own = zeros({m * (m - 1) / 2});
    for (index_t i = 0, at = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j) {
            d(i, j) = distance(x, i, y, j, p);
            for (index_t q = 0; q < k; ++q) {
                const double change = c.at(i, j) * slope(x.at(i, q) - y.at(j, q), d.at(i, j), p);
                x_bar(i, q) += change;
                y_bar(j, q) -= change;
            }
        }
        for (index_t j = i + 1; j < m; ++j, ++at) {
            own(at) = distance(x, i, x, j, p);
            for (index_t q = 0; q < k; ++q) {
                const double change = slope(x.at(i, q) - x.at(j, q), own.at(at), p);
                own_bar(i, q) += change;
                own_bar(j, q) -= change;
            }
        }
    }
    const double tolerance = sizeof(T) == 4 ? 1e-4 : 1e-12;
    CHECK(allclose(cdist(x, y, p), d, tolerance, tolerance));
    CHECK(allclose(pdist(x, p), own, tolerance, tolerance));
    if (p == infinity) return;
    const auto [to_x, to_y] = grad([&](auto a, auto b) { return sum(c * cdist(a, b, p)); }, argnums<0, 1>)(x, y);
    CHECK(allclose(to_x, x_bar, tolerance, 10 * tolerance));
    CHECK(allclose(to_y, y_bar, tolerance, 10 * tolerance));
    CHECK(allclose(grad([&](auto a) { return sum(pdist(a, p)); })(x), own_bar, tolerance, 10 * tolerance));
}

}  // namespace

TEST_CASE("distances: tiles of all sizes") {
    for (const double p : {1.0, 2.0, infinity}) {
        for (const index_t m : {1, 3, 9, 34})
            for (const index_t n : {1, 2, 9, 70})
                for (const index_t k : {1, 3, 6}) {
                    compare<double>(m, n, k, p);
                    compare<float>(m, n, k, p);
                }
        compare<double>(4, 5, 300, p);  // sums of sums
        compare<float>(261, 2, 2, p);   // more rows than panels are packed for
        compare<double>(3, 600, 2, p);  // more weights than are in the cache at once
    }
}
TEST_CASE("distances: what has no elements, or lies otherwise") {
    CHECK(cdist(zeros({0, 3}), zeros({2, 3})).shape() == shape<2>{0, 2});
    CHECK(pdist(zeros({0, 3})).size() == 0);
    CHECK(pdist(zeros({1, 3})).size() == 0);
    CHECK(array_equal(pdist(zeros({3, 0})), zeros({3})));
    CHECK(array_equal(grad([](auto a) { return sum(pdist(a)); })(ones({1, 3})), zeros({1, 3})));
    CHECK(array_equal(grad([](auto a) { return sum(cdist(a, zeros({0, 3}))); })(ones({2, 3})), zeros({2, 3})));
    const auto x = spread({5, 4}), y = spread({7, 4}, 30);
    const auto other = evaluate(matrix_transpose(x)).clone();
    CHECK(array_equal(cdist(matrix_transpose(other), y), cdist(x, y)));
    CHECK(array_equal(cdist(x(slice(none, none, 2), all), y(slice(none, none, -1), all), 1),
                      flip(cdist(x, y, 1), 1)(slice(none, none, 2), all)));
    CHECK(array_equal(pdist(tensor<int, 2>{{0, 0}, {3, 4}, {0, 8}}), tensor{5.0, 8.0, 5.0}));
}
TEST_CASE("distances: infinity and NaN stay in their rows") {
    const tensor<double, 2> x{{0.0, 1.0}, {infinity, 1.0}, {std::nan(""), 2.0}}, y{{0, 0}, {1, 1}, {2, 3}};
    const auto check = [&](double p) {
        const auto d = cdist(x, y, p);
        CHECK(all(isfinite(d(0))).item());
        CHECK(all(d(1) == infinity).item());
        CHECK(all(isnan(d(2))).item());
        CHECK(all(isfinite(grad([&](auto a) { return sum(cdist(a, y, p)); })(x)(0))).item());
    };
    for (const double p : {1.0, 2.0, infinity}) check(p);
    CHECK(array_equal(grad([&](auto a) { return sum(cdist(a, y, 1)); })(x)(1), tensor{3.0, 1.0 - 1}));
}
TEST_CASE("distances: rules of every order") {
    const auto x = spread({3, 4}), y = spread({2, 4}, 30);
    const auto z = spread({2, 3, 4}, 11);
    const auto both = [](auto p) { return [p](auto a, auto b) { return cdist(a, b, p); }; };
    CHECK(gradgradcheck(both(1), ricci::tuple(x, evaluate(0.7 * y))));
    CHECK(gradgradcheck(both(2), ricci::tuple(x, y)));
    CHECK(gradcheck(both(infinity), ricci::tuple(x, evaluate(0.7 * y))));
    CHECK(gradgradcheck([](auto a) { return pdist(a); }, ricci::tuple(x)));
    CHECK(gradgradcheck([](auto a) { return pdist(a, 1); }, ricci::tuple(x)));
    const auto energy = [](auto a) { return sum(exp(-pdist(a)) + square(pdist(a))); };
    CHECK(allclose(jacfwd(jacfwd(energy))(x), hessian(energy)(x)));
    CHECK(allclose(jacrev(jacrev(energy))(x), hessian(energy)(x)));
    const auto pull = [](auto a, auto b) { return grad([=](auto c) { return sum(square(cdist(c, b) - 1)); })(a); };
    check_vmap([&](auto a) { return pull(a, y); }, z);
    check_vmap([&](auto a) { return pull(x, a); }, z);
    check_vmap([&](auto a) { return pull(a, a); }, z);
}
