// sort and argsort of random lines of every length and type against std::stable_sort.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

template <class T>
bool before(T a, T b, bool descending) {
    if (a != a || b != b) return a == a && b != b;
    return descending ? b < a : a < b;
}
template <class T>
T element(std::mt19937& random, bool special) {
    const auto bits = static_cast<std::int32_t>(random());
    if constexpr (std::is_same_v<T, bool>) return bits & 1;
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(bits % 3 == 0 ? bits % 7 : bits * 2654435761LL);
    else {
        const T several[] = {T(std::numeric_limits<float>::quiet_NaN()),
                             T(std::numeric_limits<float>::infinity()),
                             T(-std::numeric_limits<float>::infinity()),
                             T(0.0f),
                             T(-0.0f),
                             T(1.0f)};
        return special && bits % 2 ? several[(bits >> 8 & 0xff) % 6] : T(static_cast<float>(bits >> 16) / 64.0f);
    }
}
template <class T>
bool same(T a, T b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}
/// Whether sort and argsort of a's lines, a of shape (outer, n, inner), are those of stable_sort, bit by bit.
template <class T>
bool sorts(const tensor<T, 3>& a, bool descending) {
    const tensor<T, 3> y = sort(a, 1, descending);
    const tensor<std::int64_t, 3> at = argsort(a, 1, descending);
    const index_t n = a.shape()[1], inner = a.shape()[2];
    for (index_t i = 0; i < a.shape()[0] * inner; ++i) {
        const index_t o = i / inner, c = i % inner;
        std::vector<index_t> order(static_cast<std::size_t>(n));
        std::iota(order.begin(), order.end(), index_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](index_t p, index_t q) { return before<T>(a.at(o, p, c), a.at(o, q, c), descending); });
        for (index_t k = 0; k < n; ++k) {
            const index_t from = order[static_cast<std::size_t>(k)];
            if (at.at(o, k, c) != from || !same<T>(y.at(o, k, c), a.at(o, from, c))) return false;
        }
    }
    return true;
}
template <class T>
void check_sorts() {
    std::mt19937 random(11);
    std::vector<index_t> lengths(71);
    std::iota(lengths.begin(), lengths.end(), index_t(0));
    for (const index_t n : {255, 256, 257, 258, 259, 260, 1000, 1030}) lengths.push_back(n);
    for (const index_t n : lengths)
        for (const shape<3> s : {shape<3>{1, n, 1}, shape<3>{1, n, 5}, shape<3>{3, n, 1}, shape<3>{2, n, 35}}) {
            if (n > 70 && s[0] == 2) continue;
            tensor<T, 3> a = zeros<T>(s);
            for (index_t i = 0; i < a.size(); ++i) a.data()[i] = element<T>(random, n % 3 != 0);
            CAPTURE(n);
            CHECK(sorts(a, false));
            CHECK(sorts(a, true));
        }
    tensor<T, 3> b = zeros<T>({1, 5000, 2});
    for (index_t i = 0; i < b.size(); ++i) b.data()[i] = element<T>(random, true);
    CHECK(sorts(b, false));
    CHECK(sorts(b, true));
    for (const index_t n : {513, 1025, 6000}) {
        tensor<T, 3> c = zeros<T>({1, n, 1});
        for (int kind = 0; kind < 5; ++kind) {
            for (index_t i = 0; i < n; ++i)
                c.data()[i] = kind == 4 ? element<T>(random, false)
                                        : T(kind == 0   ? 1
                                            : kind == 1 ? i
                                            : kind == 2 ? n - i
                                                        : i % 3);
            CAPTURE(n);
            CAPTURE(kind);
            CHECK(sorts(c, false));
            CHECK(sorts(c, true));
        }
    }
}
#if RICCI_HAS_REGISTER_SORT
/// A line left to another sort after some pivots, wherever its parts lie by then.
template <class K>
void check_few_pivots() {
    std::mt19937 random(5);
    for (const int depth : {0, 1, 2, 3, 5, 40})
        for (int values : {2, 1000000}) {
            std::vector<K> x(9001), other(x.size());
            for (K& v : x) v = static_cast<K>(static_cast<int>(random()) % values);
            auto expected = x;
            std::sort(expected.begin(), expected.end());
            index_t left = 0;
            detail::register_sort<K>().run(x.data(), other.data(), 9001, x.data(), depth,
                                           [&](K* from, K*, index_t n, K* to) {
                                               std::vector<K> part(from, from + n);
                                               std::sort(part.begin(), part.end());
                                               std::copy(part.begin(), part.end(), to);
                                               left += n;
                                           });
            CAPTURE(depth);
            if (depth < 3) CHECK(left > 0);
            if (depth == 40) CHECK(left == 0);
            CHECK(x == expected);
        }
}
TEST_CASE("sort: lines that pivots do not part") {
    check_few_pivots<float>();
    check_few_pivots<double>();
    check_few_pivots<std::int32_t>();
    check_few_pivots<std::int64_t>();
}
#endif

}  // namespace

TEST_CASE("sort and argsort: integers of every size as stable_sort has them") {
    check_sorts<bool>();
    check_sorts<std::int8_t>();
    check_sorts<std::uint8_t>();
    check_sorts<std::int16_t>();
    check_sorts<std::uint16_t>();
    check_sorts<std::int32_t>();
    check_sorts<std::uint32_t>();
    check_sorts<std::int64_t>();
    check_sorts<std::uint64_t>();
}
TEST_CASE("sort and argsort: numbers, NaN, infinities and both zeros as stable_sort has them") {
    check_sorts<float16>();
    check_sorts<bfloat16>();
    check_sorts<float>();
    check_sorts<double>();
}
