// Sums of complex numbers over axes other than the last one, which are added by their parts.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

template <class P>
void check_sums(const tensor<std::complex<P>, 3>& x) {
    for (const int axis : {0, 1, 2}) {
        const auto y = evaluate(sum(x, axis));
        const auto re = evaluate(sum(real(x), axis)), im = evaluate(sum(imag(x), axis));
        CHECK(y.shape() == re.shape());
        CHECK(allclose(y, re + std::complex<P>(0, 1) * im, 1e-5, 1e-5));
    }
    const auto both = evaluate(sum(x, {0, 1}, keepdims));
    CHECK(both.shape() == shape<3>{1, 1, x.shape()[2]});
    CHECK(allclose(real(both), sum(real(x), {0, 1}, keepdims), 1e-5, 1e-5));
    CHECK(allclose(imag(both), sum(imag(x), {0, 1}, keepdims), 1e-5, 1e-5));
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
