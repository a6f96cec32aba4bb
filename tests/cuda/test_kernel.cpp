// The parts of the Thrust backend that have an answer of their own: division by multiplication, loops, the plan for
// BLAS.
#include <ricci/cuda/gemm_plan.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "agree.hpp"

TEST_CASE("cuda: division by multiplication is exact") {
    const rc::index_t numbers[] = {
        1,     2,     3,       5,          7,          10,         641,        1023,       1024,         1025,
        65535, 65537, 1000003, 2147483646, 2147483647, 2147483648, 2147483649, 4294967296, 1000000000000};
    int wrong = 0;
    for (const rc::index_t d : numbers) {
        const rc::detail::divisor by(d);
        auto check = [&](rc::index_t n) { wrong += n >= 0 && by.quotient(n) != n / d; };
        for (const rc::index_t n : numbers)
            for (const rc::index_t shift : {-1, 0, 1}) {
                check(n + shift);
                check(n * d + shift);
            }
        std::uint64_t n = 1;
        for (int i = 0; i < 20000; ++i) {
            n = n * 6364136223846793005u + 1442695040888963407u;
            check(static_cast<rc::index_t>(n >> 33));
            check(static_cast<rc::index_t>(n >> 20));
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("cuda: loops merge axes and find offsets") {
    rc::detail::strided_loop<2, 4> loop;
    const rc::index_t steps[4][2] = {{60, 1}, {20, 3}, {4, 0}, {1, 0}};
    const rc::index_t extents[4] = {3, 1, 5, 4};
    for (int d = 0; d < 4; ++d) loop.append(extents[d], steps[d]);
    CHECK(loop.count == 60);
    CHECK(loop.rank == 2);
    rc::index_t i = 0;
    for (rc::index_t a = 0; a < 3; ++a)
        for (rc::index_t b = 0; b < 20; ++b, ++i) {
            rc::index_t offset[2] = {100, 200};
            loop.add_offsets(i, offset);
            CHECK(offset[0] == 100 + 60 * a + b);
            CHECK(offset[1] == 200 + a);
        }
}

namespace {

using offsets = std::pair<rc::index_t, rc::index_t>;

/// The offsets that the threads of a kernel find which visit N elements each.
template <int N>
std::vector<offsets> visited(const rc::detail::visiting_order<2, 3>& order) {
    std::vector<offsets> found_all;
    constexpr rc::index_t warp = 32;
    for (rc::index_t first = 0; first < order.count; first += N * warp)
        for (rc::index_t lane = 0; lane < warp; ++lane) {
            rc::index_t offset[N][2] = {};
            bool found[N];
            order.find(first + lane, offset, found);
            for (int i = 0; i < N; ++i)
                if (found[i]) found_all.emplace_back(offset[i][0], offset[i][1]);
        }
    std::sort(found_all.begin(), found_all.end());
    return found_all;
}

}  // namespace

TEST_CASE("cuda: every element is visited once, along lines and in squares") {
    const rc::index_t wide = rc::index_t(1) << 32;  // offsets of more than 32 bits
    const rc::index_t extents[][3] = {{3, 5, 7},   {1, 64, 65},   {4, 33, 32}, {40, 2, 64}, {2, 3, 256},
                                      {31, 1, 32}, {100, 8, 8},   {9, 9, 9},   {1, 1, 1},   {0, 64, 64},
                                      {64, 0, 64}, {2, 100, 130}, {65, 33, 1}, {5, 1, 128}};
    const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}, {2, 0, 1}};
    int squares = 0, steady = 0, of_64_bits = 0;
    for (const auto& extent : extents)
        for (const auto& layout : orders)
            for (const rc::index_t scale : {rc::index_t(1), rc::index_t(-1), wide}) {
                rc::detail::axis_table<2, 3> axes;
                rc::index_t dense = 1, turned = 1;
                for (int d = 2; d >= 0; --d) {
                    axes.extent[d] = extent[d];
                    axes.bind(0, d, extent[d], dense);
                    axes.bind(1, layout[d], extent[layout[d]], turned * scale);
                    dense *= extent[d];
                    turned *= extent[layout[d]];
                }
                std::vector<offsets> expected;
                for (rc::index_t i = 0; i < extent[0]; ++i)
                    for (rc::index_t j = 0; j < extent[1]; ++j)
                        for (rc::index_t k = 0; k < extent[2]; ++k) {
                            const auto& s = axes.step;
                            expected.emplace_back(i * s[0][0] + j * s[1][0] + k * s[2][0],
                                                  i * s[0][1] + j * s[1][1] + k * s[2][1]);
                        }
                std::sort(expected.begin(), expected.end());
                const rc::detail::visiting_order<2, 3> order(axes);
                squares += order.squares;
                steady += order.steady;
                of_64_bits += !order.loop.narrow;
                CAPTURE(extent);
                CHECK((visited<1>(order) == expected));
                CHECK((visited<2>(order) == expected));
                CHECK((visited<4>(order) == expected));
            }
    CHECK(squares > 0);
    CHECK(steady > 0);
    CHECK(of_64_bits > 0);
}

namespace {

/// What cuBLAS does with such a call.
template <class T>
void reference_gemm(const rc::detail::gemm_call& g, const T* a, const T* b, T* c) {
    REQUIRE(g.lda >= (g.transpose_a ? g.k : g.m));
    REQUIRE(g.ldb >= (g.transpose_b ? g.n : g.k));
    REQUIRE(g.ldc >= g.m);
    for (std::int64_t batch = 0; batch < g.batch; ++batch, a += g.a_step, b += g.b_step, c += g.c_step)
        for (std::int64_t i = 0; i < g.m; ++i)
            for (std::int64_t j = 0; j < g.n; ++j) {
                T sum = 0;
                for (std::int64_t l = 0; l < g.k; ++l)
                    sum += (g.transpose_a ? a[l + i * g.lda] : a[i + l * g.lda]) *
                           (g.transpose_b ? b[j + l * g.ldb] : b[l + j * g.ldb]);
                c[i + j * g.ldc] = sum;
            }
}

template <class A, class B>
int check_plan(const A& x, const B& y) {
    const auto a = x.to(rc::cpu);  // the plan is about layouts: any device will do
    const auto b = y.to(rc::cpu);
    const auto expected = rc::matmul(x.to(rc::cuda), y.to(rc::cuda));
    auto c = rc::zeros<typename A::value_type>(expected.shape());
    int calls = 0;
    rc::detail::for_each_gemm(a, b, c, [&](const auto& g, const auto* p, const auto* q, auto* r) {
        reference_gemm(g, p, q, r);
        ++calls;
    });
    check_equal(c, expected);
    return calls;
}

}  // namespace

TEST_CASE("cuda: matrix products as BLAS wants them") {
    const rc::slice reversed(rc::none, rc::none, -1), every_other(rc::none, rc::none, 2);
    const auto a = random_tensor({3, 4}), b = random_tensor({4, 5}, 2), t = random_tensor({5, 4}, 3),
               s = random_tensor({6, 5}, 4), big = random_tensor({10, 8}, 5);
    CHECK(check_plan(a, b) == 1);
    CHECK(check_plan(a, rc::permute(t, {1, 0})) == 1);
    CHECK(check_plan(rc::permute(t, {1, 0}), rc::permute(s, {1, 0})) == 1);
    CHECK(check_plan(big(every_other, rc::slice(1, 5)), b) == 1);
    CHECK(check_plan(big(rc::all, every_other), b) == 1);
    CHECK(check_plan(big(reversed, rc::slice(0, 4)), b(reversed, reversed)) == 1);
    CHECK(check_plan(a(rc::slice(0, 1)), b) == 1);
    CHECK(check_plan(a(every_other, rc::slice(1, 2)), b(rc::slice(2, 3), every_other)) == 1);
    CHECK(check_plan(a, b(rc::all, rc::slice(1, 2))) == 1);
    CHECK(check_plan(rc::expand(a(rc::slice(0, 1)), {7, 4}), b) == 1);
    CHECK(check_plan(random_tensor({2, 3, 4, 5}), random_tensor({5, 6}, 2)) == 1);
    CHECK(check_plan(random_tensor({2, 3, 4, 5}), random_tensor({3, 5, 6}, 2)) == 2);
    CHECK(check_plan(random_tensor({2, 1, 4, 5}), random_tensor({3, 5, 6}, 2)) == 2);
    CHECK(check_plan(rc::permute(random_tensor({4, 3, 2, 5}), {2, 1, 0, 3}), random_tensor({2, 3, 5, 6}, 2)) == 2);
}
