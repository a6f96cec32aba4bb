// Derivatives and batches of the functions whose results stand in test_numpy.cpp.
#include "../transforms/mapped.hpp"

using namespace mapped;

TEST_CASE("names: more derivatives") {
    const auto x = spread({3, 4});
    CHECK(gradcheck(
        [](auto a) {
            const auto parts = std::get<0>(modf(a)) + std::get<0>(frexp(a));
            return unwrap(3 * a, 1) + parts * nanpercentile(a, 30, 1, keepdims) + sum(ediff1d(a));
        },
        ricci::tuple(x)));
    CHECK(gradcheck(
        [](auto a) {
            const auto [quotient, rest] = polydiv(polymul(poly(a(0)), a(1)), a(2)(slice(0, 3)));
            return polyadd(polysub(quotient, rest), a(1));
        },
        ricci::tuple(x)));
    CHECK(gradcheck(
        [](auto a) {
            const auto few = trim_zeros(erase(ravel(a), {0, 2, 4, 5, 6, 7, 8, 9, -1}) * tensor<double, 1>{0, 1, 2});
            return sum(few * few) * array_split(a, 3, 1)[0] * a(ix_(tensor{2, 1, 0}, tensor{1, 3}));
        },
        ricci::tuple(x)));
}

TEST_CASE("names: more batches") {
    const auto x = spread({2, 3, 4});
    const auto each = [&](auto f) { check_vmap(f, x); };
    each([](auto a) {
        const auto parts = std::get<0>(modf(a)) + std::get<1>(divmod(a, 0.3));
        return unwrap(3 * a, 0) * parts + nanpercentile(a, 30, 1, keepdims) + sum(ediff1d(a));
    });
    each([](auto a) {
        const auto [quotient, rest] = polydiv(polymul(poly(a(0)), a(1)), a(2)(slice(0, 3)));
        return polyadd(polysub(quotient, rest), a(1));
    });
    each([](auto a) { return array_split(erase(a, {1, 2}, 1), 2, 1)[1] * a(ix_(tensor{2, 1, 0}, tensor{-1})); });
    each([](auto a) { return unpackbits(packbits(a > 0, 1), 0, 20) + bitwise_count(argmax(ravel(a))); });
    each([](auto a) { return where(isposinf(1.0 / a) || isneginf(log(abs(a))), a, 1.0); });
    each([](auto a) { return std::get<0>(histogramdd(ricci::tuple(a, 2 * a), {2, 3}, {{-1, 1}, {-2, 2}})); });
}
