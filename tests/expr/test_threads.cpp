// One thread and several give the same bits, whatever is computed: maps, sums over any axis, products, extrema, matmul.
#include <doctest/doctest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::layout;
using reference::layouts;
using reference::make;
using reference::values;

namespace {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// The value of f() on one thread has the bits that it has on two, four and seven.
template <class F>
void check_same(const std::string& what, F f) {
    CAPTURE(what);
    const int before = num_threads();
    set_num_threads(1);
    const auto expected = values(f());
    for (int threads : {2, 4, 7}) {
        CAPTURE(threads);
        set_num_threads(threads);
        CHECK(same_bits(values(f()), expected));
    }
    set_num_threads(before);
}

template <class T, int R>
void check_array(const shape<R>& extents) {
    CAPTURE(to_string(extents));
    reference::noise random;
    for (layout l : layouts) {
        CAPTURE(reference::name(l));
        const auto x = make<T>(l, extents, [&](index_t) { return random() - 0.3; });
        const auto y = make<T>(layout::contiguous, extents, [&](index_t) { return random() + 0.5; });
        check_same("map", [&] { return evaluate(sin(x) * y + x / y); });
        check_same("sum", [&] { return sum(x * y); });
        check_same("sum 0", [&] { return sum(x, 0); });
        check_same("sum -1", [&] { return sum(exp(x) * y, -1); });
        check_same("prod", [&] { return prod(y + T(0.2), 0); });
        check_same("max", [&] { return max(x - y); });
        check_same("var", [&] { return var(x, 0); });
        check_same("write", [&] {
            auto z = zeros<T>(extents);
            z(slice(none, none, -1)) = x + y;
            return z;
        });
    }
}

}  // namespace

TEST_CASE("threads: the same bits, matrices") {
    check_array<float>(shape{600, 700});
    check_array<double>(shape{3, 90000});
}
TEST_CASE("threads: the same bits, vectors and cubes") {
    check_array<double>(shape{300001});
    check_array<float>(shape{70, 60, 80});
}

TEST_CASE("threads: the same bits, matmul") {
    reference::noise random;
    const auto a = make<float>(layout::contiguous, shape{211, 305}, [&](index_t) { return random() - 0.5; });
    const auto b = make<float>(layout::permuted, shape{305, 197}, [&](index_t) { return random() - 0.5; });
    check_same("matmul", [&] { return matmul(a, b); });
    check_same("batched", [&] { return matmul(reshape(a, {1, 211, 305}), expand(b, {4, 305, 197})); });
}

TEST_CASE("threads: several threads use the library at once, each with its own arrays") {
    std::vector<std::thread> threads;
    std::vector<double> totals(4);
    for (std::size_t t = 0; t < totals.size(); ++t)
        threads.emplace_back([t, &totals] {
            for (int repeat = 0; repeat < 5; ++repeat) {
                const auto x = full<double>({200000}, static_cast<double>(t));
                totals[t] = sum(x + 1.0);
            }
        });
    for (auto& thread : threads) thread.join();
    for (std::size_t t = 0; t < totals.size(); ++t) CHECK(totals[t] == 200000.0 * static_cast<double>(t + 1));
}

TEST_CASE("threads: threads share an array that they only read") {
    const auto x = make<float>(layout::contiguous, shape{300, 500}, [](index_t i) { return static_cast<double>(i % 17); });
    const auto expected = values(sum(x * 2.0f, 0));
    std::vector<int> right(4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < right.size(); ++t)
        threads.emplace_back([&, t] { right[t] = values(sum(x * 2.0f, 0)) == expected; });
    for (auto& thread : threads) thread.join();
    CHECK(right == std::vector<int>(4, 1));
}
