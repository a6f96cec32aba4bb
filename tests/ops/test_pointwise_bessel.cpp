// Rows of the test table: Bessel functions, powers of 2 taken apart and put together.
#include "table/table.hpp"

namespace table {

/// The power series of I_n, whose terms are all positive; where it would be infinite in long double, infinity.
inline real bessel_i(int n, real x) {
    if (x != x) return x;
    if (std::abs(x) > 11300) return n % 2 == 1 && x < 0 ? -real(inf) : real(inf);
    const real t = x / 2 * (x / 2);
    real term = n == 1 ? x / 2 : 1, sum = 0;
    for (real k = 1; sum + term != sum || k < 3; ++k) {
        sum += term;
        term *= t / (k * (k + real(n)));
        if (term == 0) break;
    }
    return sum == 0 ? x : sum;
}

}  // namespace table

RICCI_ROW(i0, pointwise{
    .reference = [](real x) { return table::bessel_i(0, x); },
    .args = args(reals(-20, 20)),
    .special = {0.0, -0.0, 1, -1, 1e-300, 7.9999, 8, 8.0001, 15.5, 80, 88.5, 91, 700, 713, 713.98, 720, -300, inf, -inf, nan},
    .ulp = 4,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(i1, pointwise{
    .reference = [](real x) { return table::bessel_i(1, x); },
    .args = args(reals(-20, 20)),
    .special = {0.0, -0.0, 1, -1, 1e-3, 7.9999, -8, 8.0001, 15.5, 80, 88.5, 91, 700, 713, 713.98, 720, -300, inf, -inf, nan},
    .ulp = 4,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(logaddexp2, pointwise{
    .reference = [](real a, real b) {
        if (a == b) return a + 1;
        const real share = std::log1p(std::exp2(-std::abs(a - b))) * 1.44269504088896340735992468100189214L;
        return std::fmax(a, b) + share + (a + b != a + b && !(a == -b) ? a + b : 0);
    },
    .args = args(reals(1, 9), reals(1, 9)),
    .special = {0.0, 1, 40, 800, -800, inf, nan},
    .ulp = 2,
    .dtypes = types<std::int32_t>{},
});

RICCI_ROW(ldexp, pointwise{
    .reference = [](real x) { return 8 * x; },
    .args = args(reals(-9, 9)),
    .special = {0.0, -0.0, 5e-324, 1e308, inf, -inf, nan},
    .dtypes = types<std::int32_t>{},
    .call = [](const auto& x) { return ricci::ldexp(x, 3); },
});
RICCI_ROW(frexp, covered_by{"ops/test_pointwise_bessel.cpp"});

TEST_CASE("ldexp and frexp: the standard library's, in registers and scalars") {
    std::vector<double> x;
    std::vector<int> n;
    reference::noise random;
    for (double u : {0.0, -0.0, 1.0, -0.75, 5e-324, 2.2250738585072014e-308, 1.7e308, table::inf, -table::inf, table::nan})
        for (int e : {0, 1, -1, 60, -60, 1023, -1022, -1074, -1100, 2098, -2098, 4000, -100000, 2000000000})
            x.push_back(u), n.push_back(e);
    for (int i = 0; i < 2000; ++i) {
        x.push_back(std::ldexp(random.between(-1, 1), static_cast<int>(random.between(-1080, 1020))));
        n.push_back(static_cast<int>(random.between(-2200, 2200)));
    }
    const auto y = ricci::evaluate(ricci::ldexp(ricci::from_span(x), ricci::from_span(n)));
    const auto [mantissa, exponent] = ricci::frexp(ricci::from_span(x));
    const auto m = ricci::evaluate(mantissa);
    const auto e = ricci::evaluate(exponent);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(e)>::value_type, int>);
    const auto same = [](double a, double b) { return (a == b && std::signbit(a) == std::signbit(b)) || (a != a && b != b); };
    for (std::size_t i = 0; i < x.size(); ++i) {
        CAPTURE(x[i]);
        CAPTURE(n[i]);
        CHECK(same(y.data()[i], std::ldexp(x[i], n[i])));
        CHECK(same(ricci::ldexp(x[i], n[i]), std::ldexp(x[i], n[i])));
        int power = 0;
        const double part = std::frexp(x[i], &power);
        CHECK(same(m.data()[i], part));
        CHECK(e.data()[i] == (std::isfinite(x[i]) ? power : 0));
    }
    static_assert(std::is_same_v<decltype(ricci::ldexp(ricci::tensor<float, 1>(), ricci::tensor<int, 1>()))::value_type, float>);
    const ricci::tensor<float, 1> single{1.0f, 1.5f, -1.0f, 1e-45f};
    CHECK(reference::values(ricci::ldexp(single, ricci::tensor<int, 1>{-149, -150, 127, 149})) ==
          std::vector<float>{1e-45f, 1e-45f, -1.7014118e38f, 1.0f});
    CHECK(reference::values(std::get<1>(ricci::frexp(single))) == std::vector<int>{1, 1, 1, -148});
    // exponents that 16 bits do not hold
    const ricci::tensor<ricci::float16, 1> half{0.0f, 1.5f, 1.5f, -0.0f};
    const ricci::tensor<int, 1> powers{70000, 70000, -70000, 2000000000};
    CHECK(reference::values(ricci::astype<float>(ricci::ldexp(half, powers))) ==
          std::vector<float>{0, static_cast<float>(table::inf), 0, -0.0f});
    const ricci::tensor<ricci::bfloat16, 1> least{9.1835496e-41f};  // 2^-133
    CHECK(reference::values(ricci::astype<float>(ricci::ldexp(least, 257))) == std::vector<float>{2.1267648e37f});  // 2^124
    CHECK(ricci::grad([&](const auto& x) { return ricci::sum(ricci::ldexp(x, ricci::tensor<int, 1>{1, 2, -1, 3})); })(half)
              .at(3) == ricci::float16(8.0f));
}
