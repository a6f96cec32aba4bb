// any, all, argmax and argmin along each axis of arrays of many extents and layouts, against loops.
#include <doctest/doctest.h>

#include <limits>
#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

template <class T>
T value(index_t i, index_t seed) {
    const index_t k = (i * 7919 + seed * 104729) % 1009;
    if constexpr (std::is_same_v<T, bool>) return k % 97 == 0;
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(k % 23 == 0 ? std::numeric_limits<T>::lowest() : static_cast<T>(k % 101));
    else
        return k % 211 == 5
                   ? std::numeric_limits<T>::quiet_NaN()
                   : static_cast<T>(k % 89 == 3 ? -std::numeric_limits<double>::infinity() : (k % 50 - 25) * 0.5);
}
template <class T>
tensor<T, 3> numbers(const shape<3>& s, index_t seed) {
    auto x = tensor<T, 3>::uninitialized(s);
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = value<T>(i, seed);
    return x;
}
template <bool Largest, class T>
bool goes_before(T a, T b) {
    if (b != b) return false;
    return a != a || (Largest ? a > b : a < b);
}
/// One axis of x by loops over x(i, j, k): positions of extrema, and whether any element is above a bound.
template <class X>
void check_axis(const X& x, int axis) {
    using T = std::remove_const_t<typename X::value_type>;
    const T bound = static_cast<T>(std::is_same_v<T, bool> ? 0 : 24);
    const auto largest = argmax(x, axis), smallest = argmin(x, axis);
    const auto some = any(x > bound, axis), no = all(!(x > bound), axis), nonzero = any(x, axis), whole = all(x, axis);
    const index_t n = x.shape()[axis];
    const int p = axis == 0 ? 1 : 0, q = axis == 2 ? 1 : 2;
    index_t wrong = 0;
    for (index_t a = 0; a < x.shape()[p]; ++a)
        for (index_t b = 0; b < x.shape()[q]; ++b) {
            const auto at = [&](index_t k) {
                return axis == 0 ? x.at(k, a, b) : axis == 1 ? x.at(a, k, b) : x.at(a, b, k);
            };
            index_t most = 0, least = 0;
            bool above = false, one = false, every = true;
            for (index_t k = 0; k < n; ++k) {
                const T v = at(k);
                if (goes_before<true>(v, at(most))) most = k;
                if (goes_before<false>(v, at(least))) least = k;
                above |= v > bound, one |= v != T(0), every &= v != T(0);
            }
            wrong += largest.at(a, b) != most || smallest.at(a, b) != least;
            wrong +=
                some.at(a, b) != above || no.at(a, b) == above || nonzero.at(a, b) != one || whole.at(a, b) != every;
        }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("search: along each axis", T, bool, std::int8_t, std::int32_t, std::int64_t, std::uint64_t, float,
                   double) {
    index_t seed = 0;
    for (const shape<3>& s : {shape{2, 3, 5}, shape{3, 40, 67}, shape{300, 2, 19}, shape{1, 300, 64},
                              shape{5, 270, 130}, shape{2, 5, 1030}}) {
        const auto x = numbers<T>(s, ++seed);
        const auto reversed = flip(x, {0, 2});
        for (int axis = 0; axis < 3; ++axis) {
            CAPTURE(s);
            CAPTURE(axis);
            check_axis(x, axis);
            check_axis(reversed, axis);
            check_axis(permute(x, {2, 0, 1}), axis);
            check_axis(x(all, slice(0, none, 2), slice(1, none, 3)), axis);
        }
    }
}
TEST_CASE("search: any ends where one holds, wherever that is") {
    for (const index_t n : {1, 3, 4, 7, 8, 15, 16, 63, 64, 65, 257, 5000, 200000}) {
        const auto x = zeros<double>({n});
        const auto truths = full<bool>({n}, false);
        CHECK(!any(x > 0.5).item());
        CHECK(!any(truths).item());
        CHECK(all(isfinite(x)).item());
        for (const index_t at : {index_t(0), n / 2, n - 1}) {
            x(at) = std::numeric_limits<double>::infinity();
            truths(at) = true;
            CHECK(any(x > 0.5).item());
            CHECK(any(truths).item());
            CHECK(!all(isfinite(x)).item());
            CHECK(!all(!truths).item());
            CHECK(any(x(slice(none, none, -1)) > 0.5).item());
            x(at) = 0.0;
            truths(at) = false;
        }
    }
    const auto wide = zeros<float>({600, 700});
    wide(599, 699) = 1;
    CHECK(count_nonzero(any(wide != 0, 0)).item() == 1);
    CHECK(count_nonzero(any(wide != 0, 1)).item() == 1);
    CHECK(any(wide != 0, {0, 1}).item());
    CHECK(any(zeros<double>({0, 3}), 0).shape() == shape{3});
    CHECK(!any(any(zeros<double>({0, 3}), 0)).item());
    CHECK(all(all(zeros<bool>({0, 3}), 0)).item());
    CHECK(any(zeros<double>({0, 3}) > 1, 1, keepdims).shape() == shape{0, 1});
    const auto member = vmap([](auto row) { return any(row > 2.5); })(tensor<double, 2>{{1, 2}, {3, 1}});
    CHECK(!member.at(0));
    CHECK(member.at(1));
}
