// matmul with a map of the product: beside the map of matmul's result, over shapes, element types, leaves and
// transforms.
#include <doctest/doctest.h>

#include <complex>
#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

template <class T>
rc::tensor<T, 2> matrix(rc::index_t rows, rc::index_t columns, int seed) {
    // multiples of 1/8 below 1: products and short sums are exact in every type
    auto x = rc::tensor<T, 2>::uninitialized({rows, columns});
    unsigned state = static_cast<unsigned>(seed) * 2654435761u + 1;
    for (rc::index_t i = 0; i < x.size(); ++i) {
        state = state * 1664525u + 1013904223u;
        x.data()[i] = static_cast<T>(static_cast<float>(static_cast<int>(state >> 28) - 8) / 8);
    }
    return x;
}

template <class X, class Y>
bool same(const X& x, const Y& y) {
    return rc::array_equal(rc::evaluate(x), rc::evaluate(y));
}

}  // namespace

TEST_CASE("what is computed with the product is what is computed of it") {
    const auto check = [](rc::index_t m, rc::index_t k, rc::index_t n) {
        const auto a = matrix<float>(m, k, 1), b = matrix<float>(k, n, 2), residual = matrix<float>(m, n, 3);
        const rc::tensor<float, 1> bias = matrix<float>(1, n, 4)(0, rc::all);
        const auto column = matrix<float>(m, 1, 5);
        const auto f = [&](auto ab) { return rc::maximum(ab + bias, 0) * 2 + column - residual; };
        return same(rc::matmul(a, b, f), f(rc::matmul(a, b)));
    };
    for (const rc::index_t m : {1, 3, 33, 200})
        for (const rc::index_t n : {1, 7, 40, 300})
            for (const rc::index_t k : {1, 16, 90, 800}) {
                CAPTURE(m);
                CAPTURE(n);
                CAPTURE(k);
                CHECK(check(m, k, n));
            }
    CHECK(check(70, 16, 5000));
    CHECK(check(5000, 16, 70));
    CHECK(check(3, 16, 5000));
}

TEST_CASE("factors of any layout, batches that broadcast, and vectors") {
    const auto a = matrix<double>(6 * 200, 30, 1), b = matrix<double>(30, 24, 2);
    const auto bias = matrix<double>(200, 24, 3);
    const auto f = [&](auto ab) { return rc::tanh(ab) * bias + ab; };
    const auto same_mapped = [](const auto& x, const auto& y, auto g) {
        return same(rc::matmul(x, y, g), g(rc::matmul(x, y)));
    };
    const auto x = rc::reshape(a, {2, 3, 200, 30});
    CHECK(same_mapped(x, b, f));
    CHECK(same_mapped(x, rc::reshape(matrix<double>(90, 24, 4), {3, 30, 24}), f));
    CHECK(same_mapped(rc::permute(x, {1, 0, 2, 3}), b, f));
    CHECK(same_mapped(rc::matrix_transpose(rc::reshape(matrix<double>(60, 200, 5), {2, 30, 200})),
                      rc::matrix_transpose(matrix<double>(24, 30, 6)), f));
    const auto stacked = rc::reshape(matrix<double>(6, 24, 7), {2, 3, 1, 24});
    CHECK(same_mapped(x, b, [&](auto ab) { return ab * stacked; }));
    CHECK(same_mapped(x(rc::all, 1, 0), b, [&](auto ab) { return ab + bias(rc::slice(0, 2)); }));
    const rc::tensor<double, 1> v = b(rc::all, 0), w = a(0, rc::all);
    const auto per_row = matrix<double>(6, 200, 8);
    CHECK(same_mapped(x, v, [&](auto xv) { return xv - rc::reshape(per_row, {2, 3, 200}); }));
    CHECK(same_mapped(a, v, [&](auto xv) { return xv * rc::reshape(per_row, {1200}); }));
    CHECK(same_mapped(w, b, [&](auto wb) { return wb - bias(3); }));
    CHECK(same_mapped(w, rc::reshape(matrix<double>(90, 24, 4), {3, 30, 24}), [&](auto wb) { return wb - bias(4); }));
    CHECK(same_mapped(v, w, [](auto vw) { return vw + 1; }));
    CHECK(same_mapped(x, matrix<double>(30, 1, 9), [&](auto xy) { return xy / rc::reshape(per_row, {2, 3, 200, 1}); }));
    // many small products in one call, with leaves for each of them and for all
    const auto small = rc::reshape(matrix<double>(4000, 4, 10), {1000, 4, 4}), of_all = small(7)(rc::newaxis);
    const auto of_each = rc::reshape(matrix<double>(1000, 4, 11), {1000, 4, 1});
    CHECK(same_mapped(small, small(rc::slice(rc::none, rc::none, -1)),
                      [&](auto xy) { return rc::exp(xy) * of_all + of_each; }));
}

TEST_CASE("products with vectors, whose map has leaves that lie apart") {
    for (const rc::index_t n : {5, 40, 3000}) {
        const auto a = matrix<float>(1, 9, 1)(0, rc::all), apart = matrix<float>(n, 2, 4)(rc::all, 1);
        const auto b = matrix<float>(9, n, 2);
        const auto back = rc::flip(apart, 0);
        const auto f = [&](auto ab) { return ab * apart + back; };
        CHECK(same(rc::matmul(a, b, f), f(rc::matmul(a, b))));
        CHECK(same(rc::matmul(b.T(), a, f), f(rc::matmul(b.T(), a))));
    }
}
TEST_CASE("element types") {
    const auto check = [](auto zero) {
        using T = decltype(zero);
        bool good = true;
        for (const rc::index_t n : {3, 20, 150}) {
            const auto a = matrix<T>(n + 1, n, 1), b = matrix<T>(n, n + 2, 2), c = matrix<T>(n + 1, n + 2, 3);
            const auto f = [&](auto ab) { return ab * ab - c; };
            good = good && same(rc::matmul(a, b, f), f(rc::matmul(a, b)));
            const auto of_other_type = [&](auto ab) { return ab == c; };
            good = good && same(rc::matmul(a, b, of_other_type), of_other_type(rc::matmul(a, b)));
        }
        return good;
    };
    CHECK(check(0.0));
    CHECK(check(std::complex<double>()));
    CHECK(check(std::int32_t()));
    const auto a = matrix<float>(30, 20, 1), b = matrix<float>(20, 10, 2);
    const auto magnitude = [](auto ab) { return rc::abs(rc::astype<double>(ab)) + 0.1; };
    static_assert(std::is_same_v<decltype(rc::matmul(a, b, magnitude)), rc::tensor<double, 2>>);
    CHECK(same(rc::matmul(a, b, magnitude), magnitude(rc::matmul(a, b))));
    const auto mixed = rc::matmul(a, rc::astype<double>(b), [](auto ab) { return ab * 3; });
    CHECK(same(mixed, rc::matmul(rc::astype<double>(a), rc::astype<double>(b)) * 3));
}

TEST_CASE_TEMPLATE("sums of 16 bits reach the map before they are rounded", H, rc::float16, rc::bfloat16) {
    const auto check = [](rc::index_t m, rc::index_t k, rc::index_t n) {
        const auto a = matrix<H>(m, k, 1), b = matrix<H>(k, n, 2);
        const auto sums = rc::matmul(rc::astype<float>(a), rc::astype<float>(b));  // exact
        const auto f = [](auto ab) { return ab * 0.375f + 1; };
        const auto y = rc::matmul(a, b, f);
        static_assert(std::is_same_v<decltype(y), const rc::tensor<H, 2>>);
        CHECK(same(y, rc::astype<H>(f(sums))));
        CHECK(same(rc::matmul(a, b, [](auto ab) { return rc::astype<float>(ab); }), sums));
    };
    check(5, 9, 7);
    check(64, 16, 48);
    check(130, 100, 90);
    check(300, 700, 3);
    check(4, 0, 3);
    const auto batch = rc::reshape(matrix<H>(400, 8, 3), {50, 8, 8});
    const auto wide = rc::astype<float>(batch);
    CHECK(same(rc::matmul(batch, batch, [](auto ab) { return ab * 1.125f; }),
               rc::astype<H>(rc::matmul(wide, wide) * 1.125f)));
}

TEST_CASE("nothing to add up, nothing at all, and threads") {
    const auto bias = matrix<double>(1, 4, 1);
    const auto f = [&](auto ab) { return ab + bias; };
    CHECK(same(rc::matmul(rc::zeros<double>({3, 0}), rc::zeros<double>({0, 4}), f), rc::zeros<double>({3, 4}) + bias));
    CHECK(rc::matmul(rc::zeros<double>({0, 5}), rc::zeros<double>({5, 4}), f).shape() == rc::shape<2>{0, 4});
    CHECK(rc::matmul(rc::zeros<double>({0, 2, 5}), rc::zeros<double>({5, 4}), f).shape() == rc::shape<3>{0, 2, 4});
    const auto a = matrix<double>(700, 300, 2), b = matrix<double>(300, 500, 3), c = matrix<double>(700, 500, 4);
    const auto g = [&](auto ab) { return rc::sin(ab) + c; };
    const int before = rc::num_threads();
    rc::set_num_threads(1);
    const auto one = rc::matmul(a, b, g);
    CHECK(same(one, g(rc::matmul(a, b))));
    for (const int threads : {2, 3}) {
        rc::set_num_threads(threads);
        CHECK(same(rc::matmul(a, b, g), one));
    }
    rc::set_num_threads(before);
}

TEST_CASE("what a map of a product may be") {
    const auto a = matrix<double>(5, 6, 1), b = matrix<double>(6, 7, 2), c = matrix<double>(5, 7, 3);
    const auto ab = rc::matmul(a, b);
    int calls = 0;
    CHECK(same(rc::matmul(a, b, [&](auto x) { return ++calls, x; }), ab));
    CHECK(calls == 1);
    CHECK(same(rc::matmul(a, b, [](auto x) { return rc::stop_gradient(x) - x; }), ab - ab));
    CHECK(same(rc::matmul(a, b, [&](const auto&) { return c; }), c));
    CHECK(same(rc::matmul(a, b, [&](auto&&) { return c * 2; }), c * 2));
    CHECK(same(rc::matmul(a, b, [](auto x) { return rc::where(x > 0, x * rc::sigmoid(x), x / 2); }),
               rc::where(ab > 0, ab * rc::sigmoid(ab), ab / 2)));
    CHECK(same(rc::matmul(a, b, [&](auto x) { return rc::map([](auto p, auto q) { return p * q + 1; }, x, c); }),
               ab * c + 1));
    const rc::tensor<rc::index_t, 1> order{4, 3, 2, 1, 0};
    CHECK(same(rc::matmul(a, b, [&](auto x) { return x - c(order); }), ab - c(order)));
    const rc::tensor<double, 2> read = c.clone();
    const rc::tensor<const double, 2> read_only(read.memory(), read.data(), read.shape(), read.strides());
    CHECK(same(rc::matmul(a, b, [&](auto x) { return x * read_only; }), ab * c));
    // the name that is assigned to is a leaf
    auto state = c.clone();
    state = rc::matmul(a, b, [&](auto x) { return state * 0.5 + x; });
    CHECK(same(state, c * 0.5 + ab));
    auto whole = rc::zeros<double>({5, 14});
    whole(rc::all, rc::slice(0, rc::none, 2)) = rc::matmul(a, b, [](auto x) { return -x; });
    CHECK(same(whole(rc::all, rc::slice(0, rc::none, 2)), -ab));
    // more leaves than are computed with the product
    CHECK(same(rc::matmul(a, b, [&](auto x) { return x + c + c + c + c + c + c + c + c + c + c + c + c + c + c + c; }),
               ab + c + c + c + c + c + c + c + c + c + c + c + c + c + c + c));
}

TEST_CASE("maps of other shapes are refused, as products are") {
    const auto a = matrix<double>(5, 6, 1), b = matrix<double>(6, 1, 2), wide = matrix<double>(5, 4, 3);
    CHECK_THROWS_WITH_AS(rc::matmul(a, b, [&](auto ab) { return ab + wide; }),
                         "[matmul] a map of the product (5, 1) must have its shape, not (5, 4): 4 != 1",
                         rc::shape_error);
    CHECK_THROWS_WITH_AS(rc::matmul(a, a, [](auto aa) { return -aa; }),
                         "[matmul] the last dimension of a (5, 6) must match the second to last of b (5, 6): 6 != 5",
                         rc::shape_error);
}
