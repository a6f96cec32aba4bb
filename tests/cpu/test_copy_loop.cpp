// Copies between arrays of any strides: every element where it belongs, and nothing else touched.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

constexpr int most = 4;
/// Strides, in elements, of an array whose axes lie in memory in some order, some of them turned round, with gaps or
/// without.
struct layout {
    index_t stride[most] = {}, origin = 0, room = 1;

    template <class Random>
    layout(const std::vector<index_t>& extent, Random& random) {
        const int rank = static_cast<int>(extent.size());
        std::vector<int> order(extent.size());
        for (int d = 0; d < rank; ++d) order[static_cast<std::size_t>(d)] = d;
        std::shuffle(order.begin(), order.end(), random);
        for (const int d : order) {
            const index_t n = std::max(extent[static_cast<std::size_t>(d)], index_t(1));
            const index_t step = room + (random() % 4 == 0 ? room * static_cast<index_t>(random() % 3) : 0);
            const bool reversed = random() % 4 == 0;
            stride[d] = reversed ? -step : step;
            if (reversed) origin += (n - 1) * step;
            room += (n - 1) * step;
        }
    }
};
template <class U>
U number(index_t i) {
    if constexpr (std::is_integral_v<U>) return static_cast<U>(static_cast<std::uint64_t>(i) * 2654435761u + 1);
    else {
        U u{};
        for (auto& part : u) part = static_cast<typename U::value_type>(3 * i + 1);
        return u;
    }
}
template <class U, class Random>
bool copies(const std::vector<index_t>& extent, Random& random) {
    const int rank = static_cast<int>(extent.size());
    auto read = extent;  // some axes broadcast
    for (auto& n : read)
        if (random() % 6 == 0) n = 1;
    const layout from(read, random), to(extent, random);
    std::vector<U> x(static_cast<std::size_t>(from.room)), y(static_cast<std::size_t>(to.room), number<U>(-7));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = number<U>(static_cast<index_t>(i));
    auto expected = y;
    index_t count = 1;
    for (const index_t n : extent) count *= n;
    for (index_t i = 0; i < count; ++i) {
        index_t rest = i, read_at = from.origin, write_at = to.origin;
        for (int d = rank - 1; d >= 0; --d) {
            const index_t n = extent[static_cast<std::size_t>(d)], k = rest % n;
            rest /= n;
            if (read[static_cast<std::size_t>(d)] != 1) read_at += k * from.stride[d];
            write_at += k * to.stride[d];
        }
        expected[static_cast<std::size_t>(write_at)] = x[static_cast<std::size_t>(read_at)];
    }
    detail::copy_nest(detail::copier_of<U>,
                      {detail::byte_pointer(x.data() + from.origin), read.data(), from.stride, rank},
                      {detail::byte_pointer(y.data() + to.origin), extent.data(), to.stride, rank});
    return y == expected;
}
/// Two sheets of n elements, a step apart, each of them several times, and other elements between the sheets, which
/// stay.
template <class U>
bool repeats(index_t times, index_t n, index_t step, index_t gap) {
    const index_t room = n * times + gap, sheet = 2 * n, origin = step < 0 ? n - 1 : 0;
    const index_t extent[] = {2, n, times}, read[] = {2, n, 1}, from[] = {sheet, step, 0}, to[] = {room, times, 1};
    std::vector<U> x(static_cast<std::size_t>(2 * sheet)), y(static_cast<std::size_t>(2 * room), U{});
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = number<U>(static_cast<index_t>(i));
    auto expected = y;
    for (index_t s = 0; s < 2; ++s)
        for (index_t i = 0; i < n * times; ++i)
            expected[static_cast<std::size_t>(s * room + i)] =
                x[static_cast<std::size_t>(origin + s * sheet + i / times * step)];
    detail::copy_nest(detail::copier_of<U>, {detail::byte_pointer(x.data() + origin), read, from, 3},
                      {detail::byte_pointer(y.data()), extent, to, 3});
    return y == expected;
}
template <class U>
void check(int rounds, std::vector<index_t> lengths, unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < rounds; ++i) {
        std::vector<index_t> extent(random() % (most + 1));
        index_t count = 1;
        for (auto& n : extent) {
            n = lengths[random() % lengths.size()];
            if (count * n > 40000) n = 1 + n % 3;
            count *= n;
        }
        CAPTURE(i);
        CAPTURE(sizeof(U));
        REQUIRE(copies<U>(extent, random));
    }
}

}  // namespace

TEST_CASE_TEMPLATE("copy: any strides, extents and sizes of elements", U, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t, std::array<std::uint64_t, 2>, std::array<std::uint8_t, 3>) {
    check<U>(400, {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 64, 130, 300}, 1);
    check<U>(100, {0, 1, 2, 5}, 2);
    check<U>(200, {2, 3, 4, 200}, 3);  // small blocks whose order changes
}

TEST_CASE_TEMPLATE("copy: elements repeated a few times", U, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                   std::array<std::uint64_t, 2>) {
    for (const index_t times : {2, 3, 7, 8})
        for (const index_t n : {1, 2, 20, 37, 200, 40000})
            for (const index_t step : {1, 2, -1})
                for (const index_t gap : {0, 5}) CHECK(repeats<U>(times, n, step, gap));
}

TEST_CASE_TEMPLATE("copy: every few elements, none beyond the first and the last one", U, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
    for (const index_t step : {-2, -1, 2, 3, 4, 5})
        for (index_t n = 0; n < 200; ++n) {
            const index_t reach = n > 0 ? std::abs(step) * (n - 1) : -1, first = step < 0 && n > 0 ? reach : 0;
            std::vector<U> x(static_cast<std::size_t>(reach + 1), U(7));  // the sanitizer looks
            std::vector<U> y(static_cast<std::size_t>(n)), expected(y.size());
            for (index_t k = 0; k < n; ++k)
                x[static_cast<std::size_t>(first + k * step)] = expected[static_cast<std::size_t>(k)] =
                    static_cast<U>(k);
            const U* const from = n > 0 ? x.data() + first : nullptr;
            detail::copier_of<U>.copy(detail::byte_pointer(y.data()), 1, detail::byte_pointer(from), step, n);
            CHECK(y == expected);
        }
}
TEST_CASE("copy: as many threads as one likes") {
    const auto x = reshape(arange<float>(3.0f * 350 * 700), {3, 350, 700});
    for (const int threads : {1, 3}) {
        set_num_threads(threads);
        const tensor<float, 3> y = permute(x, {2, 0, 1}).clone(), z = flip(x, 2).clone();
        index_t wrong = 0;
        for (index_t i = 0; i < 3; ++i)
            for (index_t j = 0; j < 350; ++j)
                for (index_t k = 0; k < 700; ++k)
                    wrong += (y.at(k, i, j) != x.at(i, j, k)) + (z.at(i, j, 699 - k) != x.at(i, j, k));
        CHECK(wrong == 0);
    }
}

TEST_CASE("copy: bytes of any number, and no more") {
    for (std::size_t n = 1; n < 1200; n = n < 140 ? n + 1 : n + 37) {
        std::vector<std::byte> from(n), to(n + 1, std::byte{0xff});
        for (std::size_t i = 0; i < n; ++i) from[i] = static_cast<std::byte>(i * 167 + i / 256);
        detail::copy_bytes(to.data(), from.data(), n);
        CHECK(std::equal(from.begin(), from.end(), to.begin()));
        CHECK(to[n] == std::byte{0xff});
    }
}
TEST_CASE("copy: bytes at any distance modulo a page") {
    std::vector<std::byte> from(3 * 4096), to(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 + i / 256);
    const auto page = [](std::vector<std::byte>& v) {
        return v.data() + (4096 - reinterpret_cast<std::uintptr_t>(v.data()) % 4096) % 4096;
    };
    for (std::size_t above = 0; above < 40; ++above)
        for (const std::size_t n : {0, 2047, 2048, 2303, 4097}) {
            std::fill(to.begin(), to.end(), std::byte{0});
            detail::copy_bytes(page(to) + above, page(from), n);
            CHECK(std::equal(page(from), page(from) + n, page(to) + above));
            CHECK(page(to)[above + n] == std::byte{0});
        }
}
