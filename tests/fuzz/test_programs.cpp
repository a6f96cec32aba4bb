// Random programs of array functions under transforms, beside the same programs over truncated power series in plain
// loops: f(x + s t) = f + s <g, t> + s^2/2 <t, H t> + s^3/6 D^3 f[t, t, t] + ... checks three orders at once.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <ricci/ricci.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "programs.hpp"

using namespace ricci;

namespace {

// ---- The programs ---------------------------------------------------------------------------------------------------

// The first ones are fused into kernels; of the others, which are recorded as calls, two orders are enough (and compile
// in half the time).
enum operation {
    wave,
    choice,
    sum_down,
    sum_across,
    neighbours,
    fused,
    reversed = fused,
    windows,
    gram,
    smear,
    mask,
    scatter,
    operations
};

struct step {
    int op, a, b, c;
};
struct extents {
    int rows, columns;
};
/// Steps over values that begin with a matrix, a row and a column; each step appends one.
struct program {
    extents size;
    std::vector<step> steps;
    int first, second;  ///< which values the result has beside the last
};

bool fits(int op, extents a, extents b) {
    if (op == windows && a.columns < 2) return false;
    if (op == neighbours || op == windows || op == gram) return a.columns == b.columns;
    if (op == scatter) return b.columns == a.columns || b.columns == 1;
    return true;
}
extents extents_after(int op, extents a, extents b, extents c) {
    const extents both{std::max(a.rows, b.rows), std::max(a.columns, b.columns)};
    switch (op) {
        case wave:
            return {std::max(both.rows, c.rows), std::max(both.columns, c.columns)};
        case choice:
        case reversed:
            return both;
        case sum_down:
            return {1, both.columns};
        case sum_across:
        case neighbours:
        case windows:
            return {both.rows, 1};
        default:
            return a;
    }
}
program random_program(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    constexpr std::array<int, 10> lengths{1, 2, 3, 4, 5, 7, 8, 9, 13, 17};
    program p{{lengths[below(10)], lengths[below(10)]}, {}, 0, 0};
    std::vector<extents> sizes{p.size, {1, p.size.columns}, {p.size.rows, 1}};
    const int length = 1 + below(6), choices = below(2) ? fused : operations;
    while (static_cast<int>(p.steps.size()) < length) {
        const int n = static_cast<int>(sizes.size());
        const auto recent = [&] { return below(2) ? n - 1 - below(std::min(n, 2)) : below(n); };
        const step s{below(choices), recent(), recent(), recent()};
        if (!fits(s.op, sizes[s.a], sizes[s.b])) continue;
        p.steps.push_back(s);
        sizes.push_back(extents_after(s.op, sizes[s.a], sizes[s.b], sizes[s.c]));
    }
    p.first = below(static_cast<int>(sizes.size()));
    p.second = below(static_cast<int>(sizes.size()));
    return p;
}
std::string text(const program& p) {
    std::string s = std::to_string(p.size.rows) + " x " + std::to_string(p.size.columns) + ":";
    for (const auto& [op, a, b, c] : p.steps)
        s += " [" + std::to_string(op) + " of " + std::to_string(a) + " " + std::to_string(b) + " " +
             std::to_string(c) + "]";
    return s + ", " + std::to_string(p.first) + " and " + std::to_string(p.second) + " beside the last";
}
double weight(int i) { return 0.9 * std::sin(3.1 + 1.3 * i); }

// ---- As a user writes them ------------------------------------------------------------------------------------------

/// How many transforms wrap an array.
template <class X>
constexpr int transforms_around() {
    if constexpr (requires { typename X::inner_type; }) return 1 + transforms_around<typename X::inner_type>();
    else return 0;
}
template <class X>
X perform(const step& s, const std::vector<X>& values) {
    const X &a = values[s.a], &b = values[s.b], &c = values[s.c];
    if (s.op == wave) return evaluate(a * sin(b) + cos(c));
    if (s.op == choice) return evaluate(where(a > b, a * a, b));
    if (s.op == sum_down) return evaluate(sum(exp(0.3 * a) * b, 0, keepdims));
    if (s.op == sum_across) return evaluate(sum(square(a) * b, 1, keepdims));
    if (s.op == neighbours) return evaluate(sum(a(all, slice(1, none)) * b(all, slice(none, -1)), 1, keepdims));
    if constexpr (transforms_around<X>() < 3) {
        if (s.op == reversed) return evaluate(a(slice(none, none, -1), all) * b);
        if (s.op == windows)  // whose elements are in two each
            return evaluate(sum(sum(cos(unfold(a, 1, 2)), 2) * b(all, slice(none, -1)), 1, keepdims));
        if (s.op == gram) return evaluate(matmul(matmul(a, matrix_transpose(b)), b));
        X y = a.clone();
        if (s.op == smear) y(all, slice(1, none)) += 0.5 * y(all, slice(none, -1));
        if (s.op == mask) y(y < 0.1) *= -0.5;
        if (s.op == scatter) y(tensor<int, 1>{0, 0, -1}).add(b(-1, all) * b(0, all));
        return y;
    } else {
        throw std::logic_error("the step has no third derivative here");
    }
}
struct as_written {
    const program* p;
    template <class M, class R, class C>
    auto operator()(const M& matrix, const R& row, const C& column) const {
        using X = std::remove_cvref_t<decltype(evaluate(matrix * row * column))>;
        std::vector<X> values{lift(matrix, row, column), lift(row, matrix, column), lift(column, matrix, row)};
        for (const step& s : p->steps) values.push_back(perform(s, values));
        tensor<double, 2> weights = empty<double>(values.back().shape());
        for (index_t i = 0; i < weights.size(); ++i) weights.data()[i] = weight(static_cast<int>(i));
        return sum(values.back() * weights) + sin(sum(values[p->first])) * sum(square(values[p->second]));
    }
};

// ---- In plain loops over series -------------------------------------------------------------------------------------

constexpr int order = 3;
struct series {
    std::array<double, order + 1> c{};
    friend series operator+(series a, const series& b) {
        for (int k = 0; k <= order; ++k) a.c[k] += b.c[k];
        return a;
    }
    friend series operator*(double f, series a) {
        for (double& x : a.c) x *= f;
        return a;
    }
    friend series operator*(const series& a, const series& b) {
        series y;
        for (int k = 0; k <= order; ++k)
            for (int j = 0; j <= k; ++j) y.c[k] += a.c[j] * b.c[k - j];
        return y;
    }
};
/// Of y' = g x': the coefficient k of y, from those of g below.
double next(const series& g, const series& x, int k) {
    double y = 0;
    for (int j = 1; j <= k; ++j) y += j * x.c[j] * g.c[k - j];
    return y / k;
}
series exp_of(const series& x) {
    series y{{std::exp(x.c[0])}};
    for (int k = 1; k <= order; ++k) y.c[k] = next(y, x, k);
    return y;
}
/// Sine and cosine.
std::array<series, 2> waves_of(const series& x) {
    series s{{std::sin(x.c[0])}}, c{{std::cos(x.c[0])}};
    for (int k = 1; k <= order; ++k) {
        s.c[k] = next(c, x, k);
        c.c[k] = -next(s, x, k);
    }
    return {s, c};
}
series sin_of(const series& x) { return waves_of(x)[0]; }
series cos_of(const series& x) { return waves_of(x)[1]; }
struct grid {
    extents size;
    std::vector<series> elements{};
    explicit grid(extents e) : size(e), elements(static_cast<std::size_t>(e.rows * e.columns)) {}
    series& at(int i, int j) { return elements[i * size.columns + j]; }
    const series& operator()(int i, int j) const {  // broadcast
        return elements[(size.rows == 1 ? 0 : i) * size.columns + (size.columns == 1 ? 0 : j)];
    }
};
struct by_loops {
    const program& p;
    std::vector<grid> values{};
    bool decided = true;  ///< no comparison that rounding could turn, and nothing that magnifies rounding

    bool greater(const series& a, const series& b) {
        if (std::abs(a.c[0] - b.c[0]) <= 1e-9 * (1 + std::abs(a.c[0]))) decided = false;
        return a.c[0] > b.c[0];
    }
    grid perform(const step& s) {
        const grid &a = values[s.a], &b = values[s.b], &c = values[s.c];
        grid y(extents_after(s.op, a.size, b.size, c.size));
        const int last = a.size.rows - 1;
        for (int i = 0; i < std::max(a.size.rows, b.size.rows); ++i)
            for (int j = 0; j < std::max(a.size.columns, b.size.columns); ++j) {
                if (s.op == sum_down) y.at(0, j) = y(0, j) + exp_of(0.3 * a(i, j)) * b(i, j);
                if (s.op == sum_across) y.at(i, 0) = y(i, 0) + a(i, j) * a(i, j) * b(i, j);
            }
        if (s.op == sum_down || s.op == sum_across) return y;
        for (int i = 0; i < y.size.rows; ++i)
            for (int j = 0; j < y.size.columns; ++j) y.at(i, j) = element(s.op, a, b, c, i, j, last);
        return y;
    }
    series element(int op, const grid& a, const grid& b, const grid& c, int i, int j, int last) {
        const series& x = a(i, j);
        series y;
        switch (op) {
            case wave:
                return x * sin_of(b(i, j)) + cos_of(c(i, j));
            case choice:
                return greater(x, b(i, j)) ? x * x : b(i, j);
            case reversed:
                return a(std::max(last - i, 0), j) * b(i, j);
            case neighbours:
                for (int k = 1; k < a.size.columns; ++k) y = y + a(i, k) * b(i, k - 1);
                return y;
            case windows:
                for (int k = 1; k < a.size.columns; ++k) y = y + (cos_of(a(i, k - 1)) + cos_of(a(i, k))) * b(i, k - 1);
                return y;
            case gram:
                for (int r = 0; r < b.size.rows; ++r)
                    for (int k = 0; k < a.size.columns; ++k) y = y + a(i, k) * b(r, k) * b(r, j);
                return y;
            case smear:
                return j == 0 ? x : x + 0.5 * a(i, j - 1);
            case mask:
                return greater(series{{0.1}}, x) ? -0.5 * x : x;
            default:
                return x + ((i == 0 ? 2.0 : 0.0) + (i == last ? 1.0 : 0.0)) * (b(b.size.rows - 1, j) * b(0, j));
        }
    }
    void bound(const series& x) {
        for (double c : x.c) decided = decided && std::abs(c) < 1000;  // false for NaN
    }
    series run() {
        for (const step& s : p.steps) {
            values.push_back(perform(s));
            for (const series& x : values.back().elements) bound(x);
        }
        series total, inner, squares;
        int i = 0;
        for (const series& x : values.back().elements) total = total + weight(i++) * x;
        for (const series& x : values[p.first].elements) inner = inner + x;
        for (const series& x : values[p.second].elements) squares = squares + x * x;
        bound(inner);
        return total + sin_of(inner) * squares;
    }
};

// ---- Side by side ---------------------------------------------------------------------------------------------------

using matrix = tensor<double, 2>;
struct leaves {
    matrix m, r, c;
};
leaves random_leaves(extents e, std::mt19937& random) {
    const auto some = [&](int rows, int columns) {
        matrix x = empty<double>({rows, columns});
        for (double& v : x.span()) v = std::uniform_real_distribution<>(-0.9, 0.9)(random);
        return x;
    };
    return {some(e.rows, e.columns), some(1, e.columns), some(e.rows, 1)};
}
/// <g, t> as an expression, for the next gradient.
template <class G>
auto along(const G& g, const leaves& t) {
    return [=](const auto& m, const auto& r, const auto& c) {
        const auto [gm, gr, gc] = g(m, r, c);
        return sum(gm * t.m) + sum(gr * t.r) + sum(gc * t.c);
    };
}
template <class G>
void check_along(const G& g, const leaves& t, double expected) {
    double size = 1e-3, found = 0;
    const auto add = [&](const matrix& x, const matrix& y) {
        found += double(sum(x * y));
        size += double(sum(abs(x * y)));
    };
    add(std::get<0>(g), t.m);
    add(std::get<1>(g), t.r);
    add(std::get<2>(g), t.c);
    CHECK(std::abs(found - expected) <= 1e-9 * (size + std::abs(expected)));
}
}  // namespace

TEST_CASE("random programs: derivatives of three orders") {
    const int seed = fuzz::from_environment("RICCI_FUZZ_SEED", 1),
              programs = fuzz::from_environment("RICCI_FUZZ_PROGRAMS", 500);
    std::mt19937 random(static_cast<unsigned>(seed));
    int undecided = 0;
    for (int k = 0; k < programs; ++k) {
        const program p = random_program(random);
        const leaves x = random_leaves(p.size, random), t = random_leaves(p.size, random);
        INFO("seed " << seed << ", program " << k << ": " << text(p));
        by_loops reference{p};
        for (const auto& [value, direction] : {std::pair{x.m, t.m}, {x.r, t.r}, {x.c, t.c}}) {
            reference.values.emplace_back(extents{static_cast<int>(value.shape(0)), static_cast<int>(value.shape(1))});
            for (index_t i = 0; i < value.size(); ++i)
                reference.values.back().elements[i] = {{value.data()[i], direction.data()[i]}};
        }
        const series expected = reference.run();
        if (!reference.decided) {
            ++undecided;
            continue;
        }
        const as_written f{&p};
        const auto g = grad(f, argnums<0, 1, 2>);
        const auto h = grad(along(g, t), argnums<0, 1, 2>);
        check_along(g(x.m, x.r, x.c), t, expected.c[1]);
        check_along(h(x.m, x.r, x.c), t, 2 * expected.c[2]);
        if (std::ranges::all_of(p.steps, [](const step& s) { return s.op < fused; }))
            check_along(grad(along(h, t), argnums<0, 1, 2>)(x.m, x.r, x.c), t, 6 * expected.c[3]);
    }
    CHECK(undecided < programs / 3);  // or the programs test little
}
