// Bits over axes, places, choices, pooling with places and back, eigenvalues of two matrices. In golden/resampling.hpp
// are calls of bitwise_and_reduce, bitwise_or_reduce, bitwise_xor_reduce, indices, choose, histogram_bin_edges,
// max_pool1d_with_indices, max_pool2d_with_indices, max_pool3d_with_indices, max_unpool1d, max_unpool2d, max_unpool3d,
// linalg::eigh.
#include <ricci/ricci.hpp>

#include "../golden/resampling.hpp"
#include "fft_calls.hpp"

using namespace ricci;
using fft_calls::check_call;

namespace {

const tensor<double, 2> stiff{{2, 1, 0.5}, {1, 3, -1}, {0.5, -1, 5}}, mass{{4, 1, 0}, {1, 2, 0.5}, {0, 0.5, 3}};

template <class A>
auto unpooled(const A& images) {
    const auto [y, at] = max_pool2d_with_indices(images, 2);
    return max_unpool2d(y, at, 2, {}, {6, 7});
}
template <class A>
auto unpooled_lines(const A& lines) {
    const auto [y, at] = max_pool1d_with_indices(lines, 3, {.stride = 2});
    return max_unpool1d(y, at, 3, {.stride = 2});
}

}  // namespace

TEST_CASE("choices: results of NumPy, torch and SciPy") {
    const auto i = arange(80);
    const tensor<double, 1> v = (astype<double>(37 * i % 11) - 5.0 + astype<double>(i % 7) / 2.0)(slice(0, 40));
    const tensor<int, 2> k = (29 * arange(12) % 64).reshape({3, 4});
    const tensor<double, 4> images = astype<double>(53 * arange(252) % 97).reshape({2, 3, 6, 7});
    RICCI_CHOICE_CASES(RICCI_FFT_CHECK);
}
TEST_CASE("choices: derivatives") {
    const auto x = randn({2, 6, 6}, generator(1));
    CHECK(gradcheck([](auto a) { return sum(sin(max_pool2d_with_indices(a, 3, {.stride = 2}).values)); },
                    ricci::tuple(x)));
    CHECK(gradcheck([&](auto a) { return sum(sin(unpooled_lines(a))); }, ricci::tuple(x(0))));
    const auto k = tensor{0, 1, 2, 1};
    CHECK(gradcheck([&](auto a) { return sum(sin(choose(k, ricci::tuple(a, a * a, 0.5)))); },
                    ricci::tuple(tensor{0.5, 1.0, 2.0, 3.0})));
    // A v = w B v, whose vectors have B-length 1: signs aside
    const auto parts = [](auto a, auto b) {
        const auto symmetric = [](const auto& m) { return evaluate(0.5 * (m + matrix_transpose(m))); };
        const auto y = linalg::eigh(symmetric(a), symmetric(b));
        return sum(sin(y.eigenvalues)) + sum(square(square(y.eigenvectors)));
    };
    CHECK(gradgradcheck(parts, ricci::tuple(stiff, mass)));
    const auto [w, V] = linalg::eigh(stiff, mass);
    CHECK(allclose(matmul(stiff, V), matmul(mass, V) * w, 1e-12, 1e-12));
    CHECK(allclose(matmul(V.T(), matmul(mass, V)), eye(3), 1e-12, 1e-12));
    const auto z = linalg::eigh(complex(stiff, triu(stiff, 1) - tril(stiff, -1)), mass);
    CHECK(allclose(matmul(complex(stiff, triu(stiff, 1) - tril(stiff, -1)), z.eigenvectors),
                   matmul(mass, z.eigenvectors) * z.eigenvalues, 1e-12, 1e-12));
}
TEST_CASE("choices: batches") {
    const tensor<int, 2> k = (29 * arange(12) % 64).reshape({3, 4});
    CHECK(array_equal(vmap([](auto r) { return bitwise_xor_reduce(r); })(k), bitwise_xor_reduce(k, 1)));
    CHECK(array_equal(vmap([](auto r) { return bitwise_and_reduce(r > 5, 0); })(k), all(k > 5, 1)));
    CHECK(array_equal(vmap([](auto r) { return choose(r % 2, ricci::tuple(r, 0)); })(k), where(k % 2 == 0, k, 0)));
    const auto x = randn({3, 2, 6, 7}, generator(1));
    CHECK(array_equal(vmap([](auto a) { return max_pool2d_with_indices(a, 2).indices; })(x),
                      max_pool2d_with_indices(x, 2).indices));
    CHECK(array_equal(vmap([](auto a) { return unpooled(a); })(x), unpooled(x)));
    const auto both = stack({stiff, evaluate(2 * stiff)});
    CHECK(allclose(vmap([](auto a) { return linalg::eigvalsh(a, mass); })(both), linalg::eigvalsh(both, mass)));
    const auto [y, at] = max_pool3d_with_indices(x, {1, 2, 2});
    const auto whole = max_unpool3d(y, at, {1, 2, 2}, {}, {2, 6, 7});
    CHECK(allclose(sum(whole, {1, 2, 3}), sum(y, {1, 2, 3})));
    CHECK(max_unpool3d(ones({3, 1, 2, 3, 3}), zeros<int>({3, 1, 2, 3, 3}), {1, 2, 2}).shape() == shape{3, 1, 2, 6, 6});
}
TEST_CASE("choices: what does not fit") {
    CHECK_THROWS_WITH_AS(choose(tensor{0, 2}, ricci::tuple(1.0, tensor{1.0, 2.0})),
                         "[choose] the choice 2 does not lie between 0 and 1", index_error);
    CHECK_THROWS_AS(max_unpool1d(ones({1, 2}), tensor{{0, 9}}, 2), index_error);
    CHECK_THROWS_AS(max_unpool1d(ones({1, 2}), tensor{{0, 1, 2}}, 2), shape_error);
    CHECK_THROWS_AS(linalg::eigh(stiff, evaluate(-mass)), linalg_error);
    CHECK_THROWS_AS(linalg::eigh(stiff, eye(2)), shape_error);
    CHECK_THROWS_AS(histogram_bin_edges(ones({3}), 0), value_error);
}
