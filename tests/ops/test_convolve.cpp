// signal::convolve, signal::correlate and signal::fft_convolve of arrays of several axes: SciPy's results, and sums by
// definition over many shapes, types and layouts; derivatives, batches, errors.
#include <ricci/ricci.hpp>

#include "../reference.hpp"
#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

namespace {

template <class T, int R>
tensor<T, R> pattern(const shape<R>& extents, index_t a, index_t m, index_t less) {
    const auto x = tensor<T, R>::uninitialized(extents);
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(a * i % m - less);
    return x;
}
/// Element k of the full convolution of matrices.
template <class T>
T element(const tensor<T, 2>& a, const tensor<T, 2>& v, index_t row, index_t column) {
    T sum(0);
    for (index_t i = 0; i < v.shape(0); ++i)
        for (index_t j = 0; j < v.shape(1); ++j) {
            const index_t r = row - i, c = column - j;
            if (r >= 0 && r < a.shape(0) && c >= 0 && c < a.shape(1)) sum += a.at(r, c) * v.at(i, j);
        }
    return sum;
}
template <class T>
void check_window(const tensor<T, 2>& y, const tensor<T, 2>& a, const tensor<T, 2>& v, signal::extent_kept kept) {
    index_t n[2], start[2];
    for (int d = 0; d < 2; ++d) {
        const index_t all = a.shape(d) + v.shape(d) - 1;
        n[d] = kept == signal::full ? all : kept == signal::same ? a.shape(d) : std::abs(a.shape(d) - v.shape(d)) + 1;
        start[d] = (all - n[d]) / 2;
    }
    REQUIRE((y.shape(0) == n[0] && y.shape(1) == n[1]));
    double worst = 0;
    for (index_t i = 0; i < n[0]; ++i)
        for (index_t j = 0; j < n[1]; ++j)
            worst =
                std::max(worst, static_cast<double>(std::abs(y.at(i, j) - element(a, v, start[0] + i, start[1] + j))));
    CHECK(worst < (std::is_same_v<T, float> ? 1e-3 : 1e-9));  // by transforms: relative to the largest
}
template <class T>
void check_type() {
    using signal::convolve, signal::method;
    for (const auto& [n, m] : std::vector<std::pair<shape<2>, shape<2>>>{{{1, 1}, {1, 1}},
                                                                         {{1, 9}, {1, 4}},
                                                                         {{9, 1}, {4, 1}},
                                                                         {{5, 40}, {3, 3}},
                                                                         {{3, 3}, {5, 40}},
                                                                         {{20, 4}, {2, 4}},
                                                                         {{2, 300}, {1, 7}},
                                                                         {{7, 35}, {7, 35}},
                                                                         {{3, 5000}, {2, 3}}}) {
        const auto a = pattern<T>(n, 37, 11, 5), v = pattern<T>(m, 23, 7, 3);
        CAPTURE(a.shape(1));
        for (const auto kept : {signal::full, signal::same, signal::valid}) {
            check_window(convolve(a, v, kept, method::direct), a, v, kept);
            check_window(convolve(evaluate(a.T()), v.T(), kept, method::direct), evaluate(a.T()), evaluate(v.T()),
                         kept);
        }
        check_window(convolve(flip(a, 1), v, signal::full), evaluate(flip(a, 1)), v, signal::full);
    }
}

}  // namespace

TEST_CASE("convolve: SciPy's results along several axes") {
    using signal::convolve, signal::correlate;
    const auto x = pattern<int>(shape{5, 6}, 37, 11, 5), v = pattern<int>(shape{2, 3}, 23, 7, 3);
    CHECK(array_equal(convolve(x, v), tensor<int, 2>{{15, 8, -13, 8, 7, -16, -4, 4},
                                                     {-6, 7, -8, -16, 9, 23, -1, -5},
                                                     {-6, 1, 21, -9, -6, -14, 17, -3},
                                                     {-6, -5, -16, 9, 23, -7, 2, -1},
                                                     {-6, 22, -9, -6, -14, 11, -2, 1},
                                                     {9, -18, 8, 12, -17, 9, -2, 0}}));
    CHECK(array_equal(convolve(x, v, signal::same), tensor<int, 2>{{8, -13, 8, 7, -16, -4},
                                                                   {7, -8, -16, 9, 23, -1},
                                                                   {1, 21, -9, -6, -14, 17},
                                                                   {-5, -16, 9, 23, -7, 2},
                                                                   {22, -9, -6, -14, 11, -2}}));
    const tensor<int, 2> inner{{-8, -16, 9, 23}, {21, -9, -6, -14}, {-16, 9, 23, -7}, {-9, -6, -14, 11}};
    CHECK(array_equal(convolve(x, v, signal::valid), inner));
    CHECK(array_equal(convolve(v, x, signal::valid), inner));
    CHECK(array_equal(convolve(v, x, signal::same), tensor<int, 2>{{21, -9, -6}, {-16, 9, 23}}));
    CHECK(array_equal(correlate(x, v, signal::same), tensor<int, 2>{{10, -13, -9, 17, -12, -8},
                                                                    {10, 8, -11, 14, 6, 12},
                                                                    {6, 4, 7, -23, -9, 17},
                                                                    {2, -11, 14, 6, 9, -22},
                                                                    {-2, 7, -23, -9, 16, 5}}));
    const auto a = pattern<double>(shape{2, 3, 4}, 37, 11, 5), b = pattern<double>(shape{2, 2, 2}, 23, 7, 3);
    check_close(convolve(a, b, signal::same),
                tensor<double, 3>{{{15, 8, -8, 9}, {-5, -28, 5, 5}, {-15, 5, 5, 5}},
                                  {{13, -6, 3, 12}, {-23, 10, 20, -47}, {0, 17, -17, 37}}});
    check_close(convolve(a, b, signal::same, signal::method::fft),
                convolve(a, b, signal::same, signal::method::direct));
    check_close(correlate(a, b, signal::valid), tensor<double, 3>{{{47, -20, -10}, {-23, 20, -14}}});
}

TEST_CASE("convolve: sums by definition over shapes, types and layouts") {
    check_type<double>();
    check_type<float>();
    check_type<std::int64_t>();
    check_type<std::complex<double>>();
    // long sums, on several threads
    const auto a = randn<float>({40000}, generator(1)), v = randn<float>({3000}, generator(2));
    set_num_threads(3);
    const auto y = signal::convolve(a, v, signal::full, signal::method::direct);
    set_num_threads(1);
    CHECK(array_equal(y, signal::convolve(a, v, signal::full, signal::method::direct)));
    const auto exact = signal::convolve(astype<double>(a), astype<double>(v));
    CHECK(max(abs(y - exact)).item() < 1e-3);  // of sums up to 300
    // what only one product reaches
    const double inf = std::numeric_limits<double>::infinity();
    const auto z = signal::convolve(tensor<double, 1>{1, inf, 2, 3, 4}, tensor<double, 1>{1, 2}, signal::full,
                                    signal::method::direct);
    CHECK((z.at(0) == 1 && z.at(1) == inf && z.at(2) == inf && z.at(3) == 7));
}

TEST_CASE("convolve: derivatives and batches") {
    const auto a = spread(shape{4, 5}), v = spread(shape{2, 3}, 5);
    for (const auto kept : {signal::full, signal::same, signal::valid}) {
        const auto f = [=](const auto& x, const auto& y) { return signal::convolve(x, y, kept); };
        CHECK(gradcheck(f, ricci::tuple(a, v)));
        CHECK(gradcheck(f, ricci::tuple(v, a)));
        CHECK(
            gradcheck([=](const auto& x, const auto& y) { return signal::correlate(x, y, kept); }, ricci::tuple(a, v)));
    }
    CHECK(gradgradcheck([](const auto& x, const auto& y) { return signal::convolve(x, y, signal::same); },
                        ricci::tuple(a, v)));
    const auto images = spread(shape{3, 4, 5}), kernels = spread(shape{3, 2, 2}, 7);
    const auto same = [](auto x, auto w) { return signal::convolve(x, w, signal::same); };
    const auto both = vmap(same)(images, kernels), shared = vmap(same, in_axes(0, none))(images, v);
    const auto filters = vmap(same, in_axes(none, 0))(a, kernels);
    for (index_t i = 0; i < 3; ++i) {
        check_close(both(i), same(evaluate(images(i)), evaluate(kernels(i))));
        check_close(shared(i), same(evaluate(images(i)), v));
        check_close(filters(i), same(a, evaluate(kernels(i))));
    }
    const auto loss = [](auto w, auto x) { return sum(square(signal::convolve(x, w, signal::valid))); };
    const auto grads = vmap(grad(loss), in_axes(none, 0))(v, images);
    for (index_t i = 0; i < 3; ++i) check_close(grads(i), grad(loss)(v, evaluate(images(i))));
}

TEST_CASE("convolve: of truth values, whether any two hold") {
    const tensor<bool, 1> a{true, false, false, true}, v{true, true};
    const tensor<bool, 1> whole{true, true, false, true, true}, inside{true, false, true};
    CHECK(array_equal(signal::convolve(a, v), whole));
    CHECK(array_equal(signal::correlate(a, v, signal::valid), inside));
    CHECK(all(signal::convolve(ones<bool>({600}), ones<bool>({600}))).item());  // more than 255 of them
}

TEST_CASE("convolve: errors") {
    CHECK_THROWS_WITH_AS(
        signal::convolve(zeros<double>({2, 5}), zeros<double>({3, 4}), signal::valid),
        "[convolve] valid needs one array to be no smaller than the other along each axis: (2, 5) and (3, 4)",
        shape_error);
    CHECK_THROWS_WITH_AS(signal::correlate(zeros<double>({2, 0}), zeros<double>({3, 4})),
                         "[correlate] the arrays must not be empty: (2, 0) and (3, 4)", shape_error);
}
