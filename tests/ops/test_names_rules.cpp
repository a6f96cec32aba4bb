// Corners and refusals of functions put together from others, whose results stand in test_names.cpp.
#include "../transforms/mapped.hpp"

using namespace mapped;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
const tensor<double, 1> places{0, 1, 3, 4};

}  // namespace

TEST_CASE("names: corners") {
    const tensor<double, 1> v{-inf, 0, nan_value};
    CHECK(logcumsumexp(v, 0).at(1) == 0);
    CHECK(std::isnan(logcumsumexp(v, 0).at(2)));
    CHECK(nanargmax(tensor<double, 1>{nan_value, nan_value}).item() == 0);
    CHECK(array_equal(polyder(tensor{5}), tensor{0}));
    CHECK(polyder(tensor{1, 2, 3}, 2).item() == 2);
    static_assert(std::is_same_v<decltype(polyint(tensor{1}))::value_type, double>);
    CHECK(intersect1d(tensor{1, 2}, empty<int>({0})).size() == 0);
    CHECK(array_equal(setdiff1d(tensor{2, 1, 2}, empty<int>({0})), tensor{1, 2}));
    CHECK(array_equal(setxor1d(tensor{1, 2}, tensor{2.0, 2.5}), tensor{1, 2.5}));
    CHECK(cumulative_trapezoid(zeros<double>({2, 0})).shape() == shape{2, 0});
    CHECK(lcm(tensor<std::int8_t, 1>{-4}, tensor<std::int8_t, 1>{6}).item() == 12);
    CHECK(array_equal(gcd(tensor{0, -7}, 0), tensor{0, 7}));
    CHECK(flatnonzero(tensor{{0, 1}, {2, 0}}).at(1) == 2);
    CHECK(array_equal(hardtanh(tensor{-3.0, 0.5, 2.0}), tensor{-1.0, 0.5, 1.0}));
    CHECK(array_equal(hardtanh(tensor{-3.0f, 0.5f, 7.0f}, 0, 6), tensor{0.0f, 0.5f, 6.0f}));
    const auto slope = grad([](auto x) { return sum(hardtanh(x, 0, 6)); });  // torch's relu6
    CHECK(array_equal(slope(tensor{-1.0, 0.0, 0.5, 6.0, 7.0, std::nan("")}), tensor{0.0, 0.0, 1.0, 0.0, 0.0, 1.0}));
    CHECK(erase(places, empty<int>({0})).size() == 4);
    CHECK(insert(places, empty<int>({0}), 1.0).size() == 4);
    CHECK(array_equal(insert(zeros<int>({0}), {0, 0}, tensor{1, 2}), tensor{1, 2}));
    CHECK(array_equal(append(tensor{1, 2}, 2.5), tensor{1.0, 2.0, 2.5}));
    static_assert(std::is_same_v<decltype(append(tensor{1.0f}, 2.5))::value_type, float>);
    const auto m = zeros<double>({2, 3});
    write(diagonal(m), 5.0);
    CHECK(array_equal(fill_diagonal(zeros<double>({2, 3}), 5.0), m));
    CHECK(array_equal(fill_diagonal(zeros<double>({2, 3}), tensor{1.0, 2.0}), tensor<double, 2>{{1, 0, 0}, {0, 2, 0}}));
    static_assert(std::is_same_v<decltype(one_hot<float>(tensor{1}, 2))::value_type, float>);
    CHECK(sum(one_hot(tensor{-1, 2}, 2)).item() == 0);
    CHECK_THROWS_WITH_AS(one_hot(tensor{0}, -3), "[one_hot] -3 classes", value_error);
    CHECK(array_equal(one_hot(tensor{2, 0}), tensor<std::int64_t, 2>{{0, 0, 1}, {1, 0, 0}}));
    static_assert(std::is_same_v<decltype(one_hot<float>(tensor{1}))::value_type, float>);
    CHECK_THROWS_WITH_AS(one_hot(tensor{1, -1}), "[one_hot] the numbers must not be negative: -1", value_error);
    CHECK_THROWS_AS(one_hot(zeros<int>({0})), value_error);
    CHECK(array_equal(tri<int>(2, 3), tensor<int, 2>{{1, 0, 0}, {1, 1, 0}}));
    static_assert(std::is_same_v<decltype(tri(2))::value_type, double>);
    CHECK(trim_zeros(tensor{0.0, -0.0}).size() == 0);
    CHECK(array_equal(trim_zeros(tensor{0, 1, 0}, ""), tensor{0, 1, 0}));
    CHECK(std::get<0>(polydiv(tensor{1.0, 2.0}, tensor{1.0, 0.0, 0.0})).item() == 0);
    CHECK(array_equal(std::get<1>(polydiv(tensor{1.0, 2.0}, tensor{1.0, 0.0, 0.0})), tensor{1.0, 2.0}));
    const tensor<double, 1> low{1, 2};
    std::get<1>(polydiv(low, tensor{1.0, 0.0, 0.0}))(0) = 5.0;
    CHECK(low.at(0) == 1);
    CHECK(std::get<1>(polydiv(tensor{3, 2}, tensor{2})).item() == 0);
    CHECK(array_equal(std::get<0>(polydiv(tensor{3, 2}, tensor{2})), tensor{1.5, 1.0}));
    CHECK(packbits(empty<bool>({0})).size() == 0);
    CHECK(packbits(zeros<bool>({0, 3}), 1).shape() == shape{0, 1});
    CHECK(array_split(zeros<double>({0, 3}), 2)[1].shape() == shape{0, 3});
    CHECK(unwrap(tensor<double, 1>{1}).item() == 1);
    CHECK(unwrap(empty<double>({0, 2}), 0).shape() == shape{0, 2});
    CHECK(poly(empty<double>({0})).item() == 1);
#ifdef RICCI_USE_LAPACK
    const auto found = roots(tensor<double, 1>{0, 2, -6, 4, 0});  // 2 x (x - 1) (x - 2)
    CHECK(found.size() == 3);
    check_close(sort(real(found)), tensor<double, 1>{0, 1, 2});
    check_close(sort(imag(roots(tensor{1, 0, 4}))), tensor<double, 1>{-2, 2});
    CHECK(roots(tensor{7.0}).size() == 0);
#endif
}

TEST_CASE("names: errors") {
    const auto x = spread({3, 4});
    CHECK_THROWS_WITH_AS(cdist(x, spread({2, 3})),
                         "[cdist] rows of a (3, 4) and of b (2, 3) must have one length: 4 != 3", shape_error);
    CHECK_THROWS_AS(pdist(x, -1), value_error);
    CHECK_THROWS_WITH_AS(insert(x, 4, 1, 0), "[insert] position 4 of axis 0 of shape (3, 4)", index_error);
    CHECK_THROWS_WITH_AS(insert(x, {0, 4}, 1, 0), "[insert] position 4 of an axis of 3", index_error);
    CHECK_THROWS_AS(insert(x, {0, 1}, spread({3, 4}), 0), shape_error);
    CHECK_THROWS_WITH_AS(erase(x, {1, -4}, 0), "[erase] position -4 of an axis of 3", index_error);
    CHECK_THROWS_WITH_AS(partition(x, 4), "[partition] place 4 is out of bounds for an axis of 4 elements",
                         index_error);
    CHECK_THROWS_AS(argpartition(x, -4, 0), index_error);
    const tensor<double, 1> none = zeros<double>({0});
    CHECK(partition(none, 0).size() == 0);  // of no elements every place will do, as in NumPy
    CHECK(argpartition(none, 3).size() == 0);
    CHECK(partition(zeros<double>({0, 3}), 7).shape() == shape{0, 3});
    CHECK_THROWS_WITH_AS(polymul(none, places), "[polymul] the arrays must not be empty: (0,) and (4,)", shape_error);
    CHECK_THROWS_WITH_AS(nanargmax(none), doctest::Contains("[nanargmax]"), value_error);
    CHECK_THROWS_WITH_AS(nanargmin(x, 2), "[nanargmin] axis 2 is out of range for rank 2", index_error);
    CHECK_THROWS_WITH_AS(normalize(x, 2, 5), "[normalize] axis 5 is out of range for rank 2", index_error);
    CHECK_THROWS_WITH_AS(cosine_similarity(x, x, 2), "[cosine_similarity] axis 2 is out of range for rank 2",
                         index_error);
    CHECK_THROWS_WITH_AS(standardize(x, 3), "[standardize] axis 3 is out of range for rank 2", index_error);
    CHECK_THROWS_WITH_AS(cov(places, none), "[cov] variables of shapes (4,) and (0,)", shape_error);
    CHECK_THROWS_WITH_AS(lexsort(ricci::tuple(tensor{1, 2}, tensor{1})), "[lexsort] keys of different lengths: 1 and 2",
                         shape_error);
    CHECK_THROWS_WITH_AS(ravel_multi_index(ricci::tuple(tensor{0, 2}, tensor{0, 0}), shape{2, 2}),
                         "[ravel_multi_index] an index 2 does not lie between 0 and 1", index_error);
    CHECK_THROWS_WITH_AS(polyfit(places, spread({3}), 1), "[polyfit] places of shape (4,) with values of shape (3,)",
                         shape_error);
    CHECK_THROWS_AS(polyfit(places, places, -1), value_error);
    CHECK_THROWS_AS(polyder(places, -1), value_error);
    CHECK_THROWS_AS(polyint(places, -1), value_error);
    CHECK_THROWS_AS(cross_entropy(x, tensor{0, 4, 1}), index_error);
    CHECK_THROWS_WITH_AS(histogram2d(x, x(0)), "[histogram2d] coordinates of different lengths: 12 and 4", shape_error);
    CHECK_THROWS_AS(array_split(x, 0), value_error);
    const auto parts = array_split(arange(6.0), {2, 3});
    REQUIRE(parts.size() == 3);
    CHECK(array_equal(parts[0], tensor{0.0, 1.0}));
    CHECK(array_equal(parts[2], tensor{3.0, 4.0, 5.0}));
    CHECK(array_split(arange(6.0), {2}).size() == 2);
    CHECK(array_split(arange(6.0), {2})[1].size() == 4);
    CHECK(split(arange(6.0), {2})[0].size() == 2);
    CHECK(split(arange(6.0), max(tensor{2, 3})).size() == 3);
    CHECK_THROWS_AS(unpackbits(zeros<std::uint8_t>({2}), 0, 17), value_error);
    CHECK_THROWS_AS(polydiv(places, empty<double>({0})), shape_error);
    CHECK_THROWS_AS(trim_zeros(vmap([](auto a) { return trim_zeros(a); })(x)(0)), value_error);
    CHECK_THROWS_AS(histogram2d(x, x, 0), value_error);
}

TEST_CASE("argpartition: those up to the place in order, the others as they stood") {
    tensor<double, 1> x = sin(7 * arange(100.0));
    x(5) = std::numeric_limits<double>::quiet_NaN();
    const auto at = argpartition(x, 3);
    CHECK(array_equal(at(slice(0, 4)), argsort(x)(slice(0, 4))));
    CHECK(all(diff(at(slice(4, none))) > 0).item());
    CHECK(array_equal(sort(at), arange<std::int64_t>(100)));
    CHECK(array_equal(argpartition(x, -97), at));
}

namespace {
/// Whether x is an order of `from` in which `place` is right.
template <class X, class Y>
bool is_partitioned(const X& x, const Y& from, index_t place) {
    const auto sorted = sort(from);
    const auto v = sorted(place);
    const auto same = [](const auto& a, const auto& b) { return a == b || (a != a && b != b); };
    return all(same(sort(x), sorted)).item() && same(x(place), v).item() &&
           all(x(slice(0, place)) <= v || v != v).item() && all(!(x(slice(place, none)) < v)).item();
}
}  // namespace

TEST_CASE_TEMPLATE("partition: long lines", T, double, float, std::uint64_t) {
    const auto wave = evaluate(1000 * sin(7 * arange(5000.0)));
    tensor<T, 1> x = astype<T>(abs(wave)), few = astype<T>(arange<int>(5000) * 7 % 3), falling = flip(sort(x));
    if constexpr (std::is_floating_point_v<T>) x = astype<T>(wave);
    tensor<T, 1> special = x.clone();
    if constexpr (std::is_floating_point_v<T>) {
        special({7, 70, 4000}) = std::numeric_limits<T>::quiet_NaN();
        special({8, 71}) = T(-0.0);
    }
    for (const auto& a : {x, few, falling, special})
        for (const index_t place : {0, 1, 700, 2500, 4998, 4999}) {
            CHECK(is_partitioned(partition(a, place), a, place));
            CHECK(is_partitioned(evaluate(a(argpartition(a, place))), a, place));
        }
    const auto columns = evaluate(permute(stack({x, few, falling}), {1, 0}));
    const auto parted = partition(columns, 2500, 0);
    for (int k = 0; k < 3; ++k) CHECK(is_partitioned(evaluate(parted(all, k)), evaluate(columns(all, k)), 2500));
}
