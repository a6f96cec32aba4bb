// Sums of complex numbers over axes other than the last one, which are added by their parts.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

/// The largest distance, in either part, of sums of x over the axes that y lacks (extents of 1) from those of a loop,
/// over that which n numbers of magnitude 4 or less may have: n rounding errors of a sum of at most 4 n.
template <class P>
double error_of_sums(const tensor<std::complex<P>, 3>& x, const tensor<std::complex<P>, 3>& y) {
    const auto s = x.shape(), t = y.shape();
    auto expected = zeros<std::complex<double>>(t);
    for (index_t i = 0; i < s[0]; ++i)
        for (index_t j = 0; j < s[1]; ++j)
            for (index_t k = 0; k < s[2]; ++k)
                expected(std::min(i, t[0] - 1), std::min(j, t[1] - 1), std::min(k, t[2] - 1)) +=
                    std::complex<double>(x.at(i, j, k));
    const double n = double(std::max<index_t>(x.size(), 1)) / double(std::max<index_t>(y.size(), 1));
    double worst = 0;
    for (index_t i = 0; i < t[0]; ++i)
        for (index_t j = 0; j < t[1]; ++j)
            for (index_t k = 0; k < t[2]; ++k)
                worst = std::max(worst, std::abs(std::complex<double>(y.at(i, j, k)) - expected.at(i, j, k)));
    return worst / (4 * n * n * double(std::numeric_limits<P>::epsilon()));
}
template <class P>
void check_sums(const tensor<std::complex<P>, 3>& x) {
    for (const int axis : {0, 1, 2}) {
        CAPTURE(axis);
        const auto y = evaluate(sum(x, axis, keepdims));
        auto extents = x.shape();
        extents[axis] = 1;
        CHECK(y.shape() == extents);
        CHECK(error_of_sums<P>(x, y) <= 1);
    }
    const auto both = evaluate(sum(x, {0, 1}, keepdims));
    CHECK(both.shape() == shape<3>{1, 1, x.shape()[2]});
    CHECK(error_of_sums<P>(x, both) <= 1);
}
template <class P>
void check_type() {
    const auto x =
        evaluate(randn<P>({9, 33, 12}, generator(1)) + std::complex<P>(0, 1) * randn<P>({9, 33, 12}, generator(2)));
    check_sums<P>(x);
    check_sums<P>(evaluate(x(slice(none, none, -2), slice(3, 20), slice(2, none))));
    check_sums<P>(evaluate(permute(x, {2, 1, 0})));
    check_sums<P>(evaluate(x(all, all, slice(0, 1))));
    check_sums<P>(evaluate(x(all, all, slice(none, none, 3))));
    check_sums<P>(evaluate(x(slice(0, 0), all, all)));
}

}  // namespace

TEST_CASE("sums of complex numbers: layouts, axes, no elements") {
    check_type<float>();
    check_type<double>();
}
TEST_CASE("sums of complex numbers: many of them") {
    const auto x = full({100000, 2}, std::complex<float>(0.1f, 3));
    const auto y = evaluate(sum(x, 0));
    CHECK(y.at(1).real() == doctest::Approx(100000 * double(0.1f)).epsilon(1e-6));
    CHECK(y.at(1).imag() == 300000);
}
