// Truth values counted, elements packed by them, and rows of every type and length added by position.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

struct stream {
    std::uint64_t state = 1;
    std::uint64_t operator()() { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33; }
};
/// Truth values, `often` of `of` of them true.
struct mask {
    std::unique_ptr<bool[]> at;
    index_t n, count = 0;
    mask(index_t length, std::uint64_t often, stream& draw, std::uint64_t of = 8)
        : at(new bool[static_cast<std::size_t>(length)]), n(length) {
        for (index_t i = 0; i < n; ++i) count += at[static_cast<std::size_t>(i)] = draw() % of < often;
    }
};

}  // namespace

TEST_CASE("counting truth values, more of them than bytes can count") {
    stream draw;
    for (const index_t n : {0, 1, 7, 8, 63, 64, 65, 127, 16319, 16320, 16321, 50000})
        for (const std::uint64_t often : {0, 3, 8}) {
            const mask m(n, often, draw);
            CHECK(detail::count_true(m.at.get(), n) == m.count);
        }
}

TEST_CASE_TEMPLATE("packing what a mask selects touches nothing else", U, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t, std::array<std::uint64_t, 2>, std::array<std::uint64_t, 4>) {
    stream draw;
    for (index_t n = 0; n < 100; ++n)
        for (const std::uint64_t often : {0, 1, 4, 7, 8}) {
            CAPTURE(n);
            const mask m(n, often, draw);
            std::vector<U> x(static_cast<std::size_t>(n)), y(static_cast<std::size_t>(m.count)), expected;
            for (std::size_t i = 0; i < x.size(); ++i) {
                if constexpr (std::is_integral_v<U>) x[i] = static_cast<U>(i + 1);
                else x[i] = {i + 1, 3 * i};
                if (m.at[i]) expected.push_back(x[i]);
            }
            detail::compress_elements(x.data(), m.at.get(), n, y.data(), m.count);
            CHECK(y == expected);
        }
}

TEST_CASE_TEMPLATE("few true ones in a long mask, up to the last place", U, std::uint8_t, std::uint32_t,
                   std::uint64_t) {
    stream draw;
    for (const index_t n : {64, 127, 128, 200, 513, 1500})
        for (const std::uint64_t of : {20, 70, 300}) {
            CAPTURE(n);
            mask m(n, 1, draw, of);
            m.count += !m.at[static_cast<std::size_t>(n - 1)];
            m.at[static_cast<std::size_t>(n - 1)] = true;
            std::vector<U> x(static_cast<std::size_t>(n)), y(static_cast<std::size_t>(m.count)), expected;
            for (std::size_t i = 0; i < x.size(); ++i) {
                x[i] = static_cast<U>(i + 1);
                if (m.at[i]) expected.push_back(x[i]);
            }
            CHECK(detail::compress_elements(x.data(), m.at.get(), n, y.data(), m.count) == m.count);
            CHECK(y == expected);
        }
}

TEST_CASE("the places of true ones, in rows side by side and apart") {
    stream draw;
    for (const index_t columns : {1, 7, 63, 130, 512, 1100})
        for (const std::uint64_t of : {2, 9, 400}) {
            CAPTURE(columns);
            const mask m(6 * columns, 1, draw, of);
            const auto truths = borrow(m.at.get(), {6, columns}).clone();
            const auto check = [&](const auto& of_truths) {
                const auto [rows, places] = nonzero(of_truths);
                index_t k = 0;
                for (index_t r = 0; r < of_truths.shape(0); ++r)
                    for (index_t c = 0; c < of_truths.shape(1); ++c)
                        if (of_truths.at(r, c)) {
                            REQUIRE(k < rows.size());
                            CHECK((rows.at(k) == r && places.at(k) == c));
                            ++k;
                        }
                CHECK(k == rows.size());
            };
            check(truths);
            check(truths.T());
            check(truths(slice(none, none, 2), slice(none, none, -1)));
        }
}

TEST_CASE_TEMPLATE("adding rows and elements by position", T, float, double, std::int8_t, std::int64_t,
                   std::complex<float>) {
    stream draw;
    for (const index_t columns : {1, 2, 15, 16, 17, 40})
        for (const index_t n : {1, 5, 1500}) {
            CAPTURE(columns);
            CAPTURE(n);
            auto i = empty<std::int32_t>({n});
            for (index_t t = 0; t < n; ++t) i.data()[t] = static_cast<std::int32_t>(draw() % 14) - 7;
            const auto fill = [&](const auto& a) {
                for (index_t t = 0; t < a.size(); ++t) a.data()[t] = static_cast<T>(static_cast<int>(draw() % 3));
            };
            // every second column of the rows, and neighbouring ones
            const auto wide = empty<T>({n, 2 * columns});
            fill(wide);
            for (const index_t step : {1, 2}) {
                const tensor<T, 2> y = wide(all, slice(0, step * columns, step)), x = zeros<T>({7, columns});
                std::vector<T> expected(static_cast<std::size_t>(7 * columns), T(0));
                for (index_t t = 0; t < n; ++t)
                    for (index_t c = 0; c < columns; ++c) {
                        T& e = expected[static_cast<std::size_t>((i.at(t) + 7) % 7 * columns + c)];
                        e = static_cast<T>(e + y.at(t, c));
                    }
                x(i, all).add(y);
                CHECK(std::vector<T>(x.begin(), x.end()) == expected);
            }
        }
}

TEST_CASE("adding by position: a wrong index, and nothing is written") {
    auto i = zeros<int>({3, 2000});
    const auto x = zeros<float>({5});
    i(2, 1999) = 5;
    CHECK_THROWS_WITH_AS(x(i).add(1.0f), "index 5 is out of bounds for axis 0 with size 5", index_error);
    i(2, 1999) = 0;
    i(1, 0) = -6;
    CHECK_THROWS_WITH_AS(x(permute(i, {1, 0})).add(1.0f), "index -6 is out of bounds for axis 0 with size 5",
                         index_error);
    CHECK(sum(abs(x)).item() == 0);
    i(1, 0) = -5;
    x(i).add(1.0f);
    CHECK(x.at(0) == 6000);
}
