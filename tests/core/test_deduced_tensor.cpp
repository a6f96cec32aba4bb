// A tensor's type from what it is made of, and reshape as a member.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <ricci/ricci.hpp>
#include <type_traits>

using namespace ricci;

namespace {

template <class Expected, class T>
void check_type(const T&) {
    static_assert(std::is_same_v<T, Expected>);
}

}  // namespace

TEST_CASE("braces give a tensor its element type and rank") {
    const tensor a{1.0, 2.0}, mixed{1, 2.5};
    const tensor one{3.0F};
    check_type<tensor<double, 1>>(a);
    check_type<tensor<double, 1>>(mixed);
    check_type<tensor<float, 1>>(one);
    CHECK(all(mixed == tensor<double, 1>{1, 2.5}));
    CHECK(one.shape() == shape<1>{1});

    const tensor b{{1, 2, 3}, {4, 5, 6}}, row{{1, 2}};
    check_type<tensor<int, 2>>(b);
    CHECK(b.shape() == shape<2>{2, 3});
    CHECK(row.shape() == shape<2>{1, 2});
    CHECK(b(1, 0) == 4);
    CHECK_THROWS_AS((tensor{{1, 2}, {3}}), shape_error);

    const tensor c{{{1.0, 2.0}}, {{3.0, 4.0}}};
    check_type<tensor<double, 3>>(c);
    CHECK(c.shape() == shape<3>{2, 1, 2});
    check_type<tensor<std::complex<double>, 1>>(tensor{std::complex<double>(1, 2)});
}

TEST_CASE("an expression gives a tensor its type, and is evaluated once") {
    const tensor<float, 2> x{{1, 2}, {3, 4}};
    tensor y = x * 2;
    check_type<tensor<float, 2>>(y);
    y(0, 0) = 7.0F;
    CHECK(y(0, 0) == 7);
    const tensor close = x > 2;
    check_type<tensor<bool, 2>>(close);
    const tensor total = sum(x, 0);
    check_type<tensor<float, 1>>(total);

    const tensor shared = y, braced{y};  // a handle, as everywhere
    check_type<tensor<float, 2>>(braced);
    CHECK(shared.data() == y.data());
    CHECK(braced.data() == y.data());
    const tensor<const float, 2> read_only = x;
    check_type<tensor<float, 2>>(tensor(read_only + 0));
}

TEST_CASE("reshape is a member of arrays and expressions, and differentiable") {
    const auto x = arange(12).reshape({3, -1});
    check_type<tensor<int, 2>>(x);
    CHECK(x.shape() == shape<2>{3, 4});
    CHECK(x(2, 3) == 11);
    CHECK((2 * x).reshape({12})(11) == 22);
    CHECK(x.reshape({2, 6}).data() == x.data());
    CHECK(x.reshape(shape<1>{12}).shape() == shape<1>{12});
    CHECK_THROWS_WITH(x.reshape({5}), "[reshape] an array of shape (3, 4) has 12 elements and does not fit shape (5,)");
    const tensor v{1.0, 2.0, 3.0, 4.0};
    CHECK(all(grad([](auto w) { return sum(square(w.reshape({2, 2})(0))); })(v) == tensor{2.0, 4.0, 0.0, 0.0}));
    CHECK(all(vmap([](auto w) { return w.reshape({2, 2})(1, 0); })(v.reshape({1, 4})) == 3));
}

TEST_CASE("deduced tensor: of results of rank 0") {
    const tensor<double, 2> x{{1, 2}, {3, 4}};
    const tensor ends{min(x), max(x), 2 * sum(x)};
    static_assert(std::is_same_v<decltype(ends), const tensor<double, 1>>);
    CHECK(array_equal(ends, tensor{1.0, 4.0, 20.0}));
    const tensor mixed{1.0, max(x), x(0, 0) / 2};  // among numbers
    static_assert(std::is_same_v<decltype(mixed), const tensor<double, 1>>);
    CHECK(array_equal(mixed, tensor{1.0, 4.0, 0.5}));
    const auto angle = x(0, 0);
    const tensor rotation{{cos(angle), -sin(angle)}, {sin(angle), cos(angle)}}, shear{{1.0, angle}, {0.0, 1.0}};
    static_assert(std::is_same_v<decltype(rotation), const tensor<double, 2>>);
    CHECK(array_equal(rotation(0), tensor{std::cos(1.0), -std::sin(1.0)}));
    CHECK(array_equal(rotation(1), tensor{std::sin(1.0), std::cos(1.0)}));
    CHECK(array_equal(shear, tensor{{1.0, 1.0}, {0.0, 1.0}}));
    static_assert(std::is_same_v<decltype(tensor{{1.0F, 2.0F}, {3.0F, 4.0F}}), tensor<float, 2>>);
    const auto [i, j] = unravel_index(argmax(x), x.shape());
    const tensor position{i, j};
    static_assert(std::is_same_v<decltype(position), const tensor<index_t, 1>>);
    CHECK(array_equal(position, tensor<index_t, 1>{1, 1}));
    static_assert(std::is_same_v<decltype(tensor{i}), tensor<index_t, 0>>);  // its value, as of any expression
}

TEST_CASE("deduced: braces in templates, which clang takes for one list") {
    const auto check = [](auto one) {
        CHECK(decltype(tensor{one, one})::rank == 1);
        CHECK(sum(tensor{1.0, 2.0}) == 3.0);
        CHECK(tensor{2}.shape() == shape<1>{1});
        CHECK(tensor{{1, 2}, {3, 4}}.shape() == shape<2>{2, 2});
        CHECK(tensor{{1, 2}}.shape() == shape<2>{1, 2});
        CHECK(tensor{{{1, 2}, {3, 4}}}.shape() == shape<3>{1, 2, 2});
    };
    check(1.5);
}

TEST_CASE("a count among doubles in braces becomes one") {
    const tensor<double, 1> v{1, 2, 3};
    const tensor counts{dot(v, v), sum(v > 1)}, first{sum(v > 1), 0.5};
    const tensor both{sum(v > 1), sum(v > 2)};
    check_type<tensor<double, 1>>(counts);
    check_type<tensor<double, 1>>(first);
    check_type<tensor<std::int64_t, 1>>(both);
    CHECK(all(counts == tensor{14.0, 2.0}));
    CHECK(all(first == tensor{2.0, 0.5}));
    CHECK(all(both == tensor{2, 1}));
    const tensor matrix{{1.0, 0.0}, {max(v), sum(v > 1)}};
    check_type<tensor<double, 2>>(matrix);
    CHECK(all(matrix == tensor<double, 2>{{1, 0}, {3, 2}}));
    CHECK(all(tensor<double, 1>{sum(v > 1)} == tensor{2.0}));
    CHECK(all(tensor<std::complex<double>, 1>{sum(v > 1), std::complex<double>(0, 1)} ==
              tensor{std::complex<double>(2), std::complex<double>(0, 1)}));
}
