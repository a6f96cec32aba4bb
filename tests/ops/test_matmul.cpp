// Matrix products against a naive loop: all combinations of ranks, layouts and sizes around the blocks, element types.
#include <doctest/doctest.h>

#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::layout;
using reference::layouts;
using reference::make;
using reference::values;

namespace {

double whole(index_t i) { return static_cast<double>((i * 7919 + 13) % 21) - 10; }

/// The product of the definition, for ranks 2 and more, the leading axes broadcast.
template <class T, int RA, int RB>
std::vector<T> naive(const tensor<T, RA>& a, const tensor<T, RB>& b) {
    constexpr int R = RA > RB ? RA : RB;
    shape<R> extents;
    for (int i = 0; i < R - 2; ++i) {
        const index_t m = i < R - RA ? 1 : a.shape()[i - (R - RA)], n = i < R - RB ? 1 : b.shape()[i - (R - RB)];
        extents[i] = m == 1 ? n : m;
    }
    extents[R - 2] = a.shape()[RA - 2];
    extents[R - 1] = b.shape()[RB - 1];
    std::vector<T> c;
    reference::for_each_index(extents, [&](const auto& at) {
        shape<RA> i;
        shape<RB> j;
        for (int d = 0; d < RA - 2; ++d) i[d] = a.shape()[d] == 1 ? 0 : at[d + R - RA];
        for (int d = 0; d < RB - 2; ++d) j[d] = b.shape()[d] == 1 ? 0 : at[d + R - RB];
        i[RA - 2] = at[R - 2];
        j[RB - 1] = at[R - 1];
        T sum = T(0);
        for (index_t k = 0; k < a.shape()[RA - 1]; ++k) {
            i[RA - 1] = j[RB - 2] = k;
            sum = static_cast<T>(sum + reference::element(a, i) * reference::element(b, j));
        }
        c.push_back(sum);
    });
    return c;
}

template <class T, int RA, int RB>
void check(const shape<RA>& m, const shape<RB>& n) {
    CAPTURE(to_string(m));
    CAPTURE(to_string(n));
    for (layout la : layouts)
        for (layout lb : layouts) {
            CAPTURE(reference::name(la));
            CAPTURE(reference::name(lb));
            const auto a = make<T>(la, m, whole);
            const auto b = make<T>(lb, n, [](index_t i) { return whole(3 * i + 1); });
            CHECK(values(matmul(a, b)) == naive(a, b));
        }
}

}  // namespace

TEST_CASE("matmul: sizes around registers and blocks, float") {
    for (index_t n : {1, 2, 3, 7, 8, 12, 13, 16, 17, 31, 33, 48, 49, 65}) check<float>(shape{n, n + 1}, shape{n + 1, n + 2});
    check<float>(shape{1, 300}, shape{300, 1});
    check<float>(shape{130, 1}, shape{1, 140});
    check<float>(shape{3, 700}, shape{700, 5});
}
TEST_CASE("matmul: sizes around registers and blocks, double") {
    for (index_t n : {1, 4, 5, 9, 24, 25, 50}) check<double>(shape{n + 2, n}, shape{n, n + 3});
    check<double>(shape{150, 290}, shape{290, 135});
}
TEST_CASE("matmul: other element types") {
    check<int>(shape{5, 7}, shape{7, 9});
    check<std::int64_t>(shape{3, 4}, shape{4, 2});
    check<std::complex<float>>(shape{4, 6}, shape{6, 3});
    check<std::complex<double>>(shape{4, 1}, shape{1, 3});
    const auto mixed = matmul(tensor<float, 2>{{1, 2}}, tensor<int, 2>{{3}, {4}});
    static_assert(std::is_same_v<decltype(mixed)::value_type, double>);
    CHECK(mixed.at(0, 0) == 11);
    CHECK(values(matmul(tensor<std::uint8_t, 2>{{200, 100}}, tensor<std::uint8_t, 2>{{2}, {1}})) == std::vector<std::uint8_t>{244});
    CHECK(values(matmul(tensor<int, 2>{{65536}}, tensor<int, 2>{{65536}})) == std::vector<int>{0});
}

TEST_CASE("matmul: leading axes broadcast") {
    check<double>(shape{3, 4, 5}, shape{3, 5, 6});
    check<double>(shape{3, 4, 5}, shape{5, 6});
    check<double>(shape{4, 5}, shape{3, 5, 6});
    check<double>(shape{1, 4, 5}, shape{3, 5, 6});
    check<float>(shape{2, 1, 4, 5}, shape{3, 5, 2});
    check<float>(shape{2, 3, 4, 5}, shape{2, 3, 5, 2});
    check<float>(shape{40, 20, 30}, shape{40, 30, 10});
    check<double>(shape{4, 5}, shape{3, 5, 1});  // one matrix, many vectors
    check<float>(shape{1, 1, 4, 5}, shape{2, 3, 5, 1});
    check<float>(shape{90, 8, 8}, shape{90, 8, 8});
    check<double>(shape{70, 5, 1}, shape{70, 1, 6});  // outer products
}

TEST_CASE("matmul: vectors lose their axis") {
    for (layout l : layouts) {
        CAPTURE(reference::name(l));
        const auto v = make<double>(l, shape{5}, whole), w = make<double>(l, shape{4}, whole);
        const auto m = make<double>(l, shape{4, 5}, whole);
        const auto t = make<double>(l, shape{3, 4, 5}, whole);
        CHECK(matmul(v, v).item() == naive(reshape(v, {1, 5}), reshape(v, {5, 1}))[0]);
        CHECK(matmul(m, v).shape() == shape{4});
        CHECK(values(matmul(m, v)) == naive(m, reshape(v, {5, 1})));
        CHECK(matmul(w, m).shape() == shape{5});
        CHECK(values(matmul(w, m)) == naive(reshape(w, {1, 4}), m));
        CHECK(matmul(t, v).shape() == shape{3, 4});
        CHECK(values(matmul(t, v)) == naive(t, reshape(v, {5, 1})));
        CHECK(matmul(w, t).shape() == shape{3, 5});
        CHECK(values(matmul(w, t)) == naive(reshape(w, {1, 4}), t));
    }
}

TEST_CASE("matmul: no rows, no columns, nothing to contract") {
    CHECK(matmul(zeros<double>({0, 3}), zeros<double>({3, 4})).shape() == shape{0, 4});
    CHECK(matmul(zeros<double>({2, 3}), zeros<double>({3, 0})).shape() == shape{2, 0});
    CHECK(values(matmul(zeros<double>({2, 0}), zeros<double>({0, 2}))) == std::vector<double>{0, 0, 0, 0});
    CHECK(matmul(zeros<float>({0}), zeros<float>({0})).item() == 0);
    CHECK(values(matmul(zeros<float>({2, 0}), zeros<float>({0}))) == std::vector<float>{0, 0});
    CHECK(matmul(zeros<int>({0, 2, 3}), zeros<int>({1, 3, 4})).shape() == shape{0, 2, 4});
    CHECK(matmul(zeros<double>({0, 3, 4}), zeros<double>({0, 4, 5})).shape() == shape{0, 3, 5});
    CHECK(matmul(zeros<float>({2, 0, 3, 4}), zeros<float>({1, 4, 5})).shape() == shape{2, 0, 3, 5});
    CHECK(matmul(zeros<std::int64_t>({0, 3, 4}), zeros<std::int64_t>({4})).shape() == shape{0, 3});
}

TEST_CASE("matmul: of lazy expressions, transposes, itself; NaN and infinities go through") {
    const auto a = make<double>(layout::contiguous, shape{6, 4}, whole);
    const auto at = permute(a, {1, 0});
    CHECK(values(matmul(a * 2.0, at + 1.0)) == naive(evaluate(a * 2.0), evaluate(at + 1.0)));
    CHECK(values(matmul(at, a)) == naive(at, a));
    auto b = a.clone();
    b(0, 0) = std::nan("");
    CHECK(std::isnan(matmul(b, at).at(0, 5)));
    CHECK_FALSE(std::isnan(matmul(b, at).at(1, 5)));
    b(0, 0) = std::numeric_limits<double>::infinity();
    CHECK(std::isnan(matmul(b, zeros<double>({4, 1})).at(0, 0)));
    auto c = a(slice(0, 4), all).clone();
    const auto expected = naive(c, c);
    c = matmul(c, c);
    CHECK(values(c) == expected);
}
