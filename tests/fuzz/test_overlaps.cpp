// Random statements over names that share elements, views of every stride and expressions kept for later, beside a
// model in which an array is a list of places and a right side is computed before anything is written.
#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <ricci/ricci.hpp>
#include <string>
#include <vector>

#include "programs.hpp"

using namespace ricci;

namespace {

using entry = std::int64_t;  // exact: what is compared is where elements come from and go to
using matrix = tensor<entry, 2>;

/// A matrix of places in memory that lives as long as one of them is named.
struct places {
    index_t rows = 0, columns = 0;
    std::vector<std::shared_ptr<entry>> at{};
    entry& operator()(index_t i, index_t j) const { return *at[i * columns + j]; }
    entry read(index_t i, index_t j) const { return (*this)(rows == 1 ? 0 : i, columns == 1 ? 0 : j); }  // broadcast
};
/// New places for f(i, j).
template <class F>
places filled(index_t rows, index_t columns, F f) {
    places p{rows, columns};
    for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j) p.at.push_back(std::make_shared<entry>(f(i, j)));
    return p;
}
/// Writes f(i, j), all of which are computed first.
template <class F>
void write_all(const places& to, F f) {
    const places values = filled(to.rows, to.columns, f);
    for (index_t i = 0; i < to.rows; ++i)
        for (index_t j = 0; j < to.columns; ++j) to(i, j) = values(i, j);
}
/// An array and its model.
struct both {
    matrix array;
    places model;
};
/// Every step-th of `count` elements from `first` on.
struct cut {
    index_t first, count, step;
    slice written() const {
        const index_t behind = first + step * count;
        if (behind < 0) return slice(first, none, step);
        return slice(first, behind, step);
    }
};
both part(const both& x, bool transposed, const cut& r, const cut& c) {
    const matrix array = transposed ? matrix(matrix_transpose(x.array)) : x.array;
    places p{r.count, c.count};
    for (index_t i = 0; i < r.count; ++i)
        for (index_t j = 0; j < c.count; ++j) {
            const index_t a = r.first + i * r.step, b = c.first + j * c.step;
            p.at.push_back(x.model.at[transposed ? b * x.model.columns + a : a * x.model.columns + b]);
        }
    return {matrix(array(r.written(), c.written())), p};
}
auto later(const matrix& a, const matrix& b, const matrix& c) { return where(a > b, a - c, b + 2 * c); }
entry later_of(const places& a, const places& b, const places& c, index_t i, index_t j) {
    return a.read(i, j) > b.read(i, j) ? a.read(i, j) - c.read(i, j) : b.read(i, j) + 2 * c.read(i, j);
}

struct machine {
    std::mt19937& random;
    std::vector<both> names{};
    using kept = decltype(later(matrix(), matrix(), matrix()));
    struct lazy {
        kept expression;
        both a;
        places b, c;
    };
    std::vector<lazy> kept_ones{};
    std::string text{};

    index_t below(index_t n) { return static_cast<index_t>(random() % static_cast<unsigned>(n)); }
    /// `count` elements of an axis.
    cut random_cut(index_t length, index_t count) {
        index_t step = 1 + below(3);
        while (step > 1 && (count - 1) * step >= length) --step;
        const index_t first = below(length - (count - 1) * step);
        if (below(2)) return {first, count, step};
        return {first + (count - 1) * step, count, -step};
    }
    both random_part() {
        const both& x = names[below(std::ssize(names))];
        const bool transposed = below(2);
        const index_t rows = transposed ? x.model.columns : x.model.rows,
                      columns = transposed ? x.model.rows : x.model.columns;
        const index_t r = below(2) ? rows : 1 + below(rows), c = below(2) ? columns : 1 + below(columns);
        return part(x, transposed, random_cut(rows, r), random_cut(columns, c));
    }
    /// What has these extents; where `may_broadcast`, or 1 of them.
    both random_source(const both& like, bool may_broadcast) {
        for (int tries = 0; tries < 20; ++tries) {
            const both& x = names[below(std::ssize(names))];
            const bool transposed = below(2);
            const index_t rows = transposed ? x.model.columns : x.model.rows,
                          columns = transposed ? x.model.rows : x.model.columns;
            const index_t r = may_broadcast && below(4) == 0 ? 1 : like.model.rows,
                          c = may_broadcast && below(4) == 0 ? 1 : like.model.columns;
            if (r <= rows && c <= columns) return part(x, transposed, random_cut(rows, r), random_cut(columns, c));
        }
        return {like.array.clone(),
                filled(like.model.rows, like.model.columns, [&](index_t i, index_t j) { return like.model(i, j); })};
    }
    void step();
    static void write(index_t op, const both& d, const both& a, const both& b, const both& c);
    void name(index_t op, const both& d, const both& a, const both& b, const both& c);
    void keep_small();
};
void machine::keep_small() {
    for (both& x : names) {
        x.array(all, all) = x.array % 1000;  // Python's remainder
        write_all(x.model, [&](index_t i, index_t j) { return (x.model(i, j) % 1000 + 1000) % 1000; });
    }
}
void machine::step() {
    const both d = random_part();
    const both a = random_source(d, false), b = random_source(d, true), c = random_source(d, true);
    const index_t op = below(15);
    text += " " + std::to_string(op);
    if (op < 10) write(op, d, a, b, c);
    else name(op, d, a, b, c);
    keep_small();
}
/// Statements that write through a view.
void machine::write(index_t op, const both& d, const both& a, const both& b, const both& c) {
    const places &md = d.model, &ma = a.model, &mb = b.model, &mc = c.model;
    const index_t last = md.rows - 1;
    matrix to = d.array;
    const auto put = [&](auto f) { write_all(md, f); };
    switch (op) {
        case 0:
            to(all, all) = a.array;
            put([&](index_t i, index_t j) { return ma(i, j); });
            break;
        case 1:
            to(all, all) = a.array * b.array + c.array;
            put([&](index_t i, index_t j) { return ma(i, j) * mb.read(i, j) + mc.read(i, j); });
            break;
        case 2:
            to(all, all) += b.array * c.array;
            put([&](index_t i, index_t j) { return md(i, j) + mb.read(i, j) * mc.read(i, j); });
            break;
        case 3:
            to(a.array > b.array) -= 3;
            put([&](index_t i, index_t j) { return md(i, j) - (ma(i, j) > mb.read(i, j) ? 3 : 0); });
            break;
        case 4:
            to(slice(1, none), all) = to(slice(none, -1), all);
            put([&](index_t i, index_t j) { return md(std::max<index_t>(i - 1, 0), j); });
            break;
        case 5:
            to += a.array(slice(none, none, -1), all);
            put([&](index_t i, index_t j) { return md(i, j) + ma(last - i, j); });
            break;
        case 6:
            to(all, all) = max(a.array, 1, keepdims) - b.array;
            put([&](index_t i, index_t j) {
                entry most = ma(i, 0);
                for (index_t k = 1; k < ma.columns; ++k) most = std::max(most, ma(i, k));
                return most - mb.read(i, j);
            });
            break;
        case 7:
            to(tensor<int, 1>{-1, 0}) = to(tensor<int, 1>{0, -1});
            put([&](index_t i, index_t j) { return i == 0 ? md(last, j) : i == last ? md(0, j) : md(i, j); });
            break;
        case 8:  // from a view whose elements show in two rows each
            if (md.rows < 2) break;
            to(slice(1, none), all) = sum(unfold(to, 0, 2), 2);
            put([&](index_t i, index_t j) { return md(i, j) + (i > 0 ? md(i - 1, j) : 0); });
            break;
        default:
            to(tensor<int, 1>{0, 0, -1}).add(a.array(slice(0, 1), all));
            put([&](index_t i, index_t j) { return md(i, j) + ((i == 0 ? 2 : 0) + (i == last ? 1 : 0)) * ma(0, j); });
            break;
    }
}
/// Statements that make names and expressions, and those that use what was kept.
void machine::name(index_t op, const both& d, const both& a, const both& b, const both& c) {
    both& x = names[below(std::ssize(names))];
    switch (op) {
        case 10:
            x = d;  // another name of the same elements
            break;
        case 11:
            x.array = a.array - c.array;
            x.model = filled(d.model.rows, d.model.columns,
                             [&](index_t i, index_t j) { return a.model(i, j) - c.model.read(i, j); });
            break;
        case 12:
            kept_ones.push_back({later(a.array, b.array, c.array), a, b.model, c.model});
            break;
        case 13: {
            x.array = flip(x.array, 0) + x.array;
            const places m = x.model;
            x.model = filled(m.rows, m.columns, [&](index_t i, index_t j) { return m(m.rows - 1 - i, j) + m(i, j); });
            break;
        }
        default: {
            if (kept_ones.empty()) break;
            const lazy& l = kept_ones[below(std::ssize(kept_ones))];
            const both target = random_source(l.a, false);
            matrix there = target.array;
            there(all, all) += l.expression;
            write_all(target.model,
                      [&](index_t i, index_t j) { return target.model(i, j) + later_of(l.a.model, l.b, l.c, i, j); });
        }
    }
}

}  // namespace

TEST_CASE("random statements over arrays that share elements") {
    const int seed = fuzz::from_environment("RICCI_FUZZ_SEED", 1);
    const int programs = fuzz::from_environment("RICCI_FUZZ_PROGRAMS", 400);
    std::mt19937 random(static_cast<unsigned>(seed));
    for (int k = 0; k < programs; ++k) {
        machine m{random};
        constexpr index_t lengths[] = {1, 2, 3, 4, 7, 8, 9, 16, 17, 33};
        const index_t n = lengths[m.below(10)], other = m.below(2) ? n : lengths[m.below(10)];
        for (int i = 0; i < 3; ++i) {
            const places p = filled(n, other, [&](index_t, index_t) { return m.below(1000); });
            matrix x = empty<entry>({n, other});
            for (index_t e = 0; e < x.size(); ++e) x.data()[e] = *p.at[e];
            m.names.push_back({x, p});
        }
        for (int i = 0; i < 8; ++i) m.step();
        bool same = true;
        for (const both& x : m.names) {
            const matrix found = x.array.clone();
            REQUIRE(found.size() == std::ssize(x.model.at));
            for (index_t e = 0; e < found.size(); ++e) same = same && found.data()[e] == *x.model.at[e];
        }
        INFO("seed " << seed << ", program " << k << " of " << n << " x " << other << ":" << m.text);
        CHECK(same);
    }
}

TEST_CASE("every two slices of a short array, one written from the other") {
    constexpr index_t n = 9;
    std::vector<cut> cuts;
    for (index_t first = 0; first < n; ++first)
        for (const index_t step : {1, 2, -1, -3})
            for (index_t count = 1, at = first; at >= 0 && at < n; ++count, at += step)
                cuts.push_back({first, count, step});
    for (const cut& to : cuts)
        for (const cut& from : cuts) {
            if (from.count != to.count && from.count != 1) continue;
            for (const index_t columns : {1, 9}) {
                both x{empty<entry>({n, columns}),
                       filled(n, columns, [&](index_t i, index_t j) { return 1 + i + n * j; })};
                for (index_t e = 0; e < x.array.size(); ++e) x.array.data()[e] = *x.model.at[e];
                const both a = part(x, false, to, {0, columns, 1}), b = part(x, false, from, {0, columns, 1});
                if (from.count == to.count) machine::write(0, a, b, b, b);
                machine::write(1, a, a, b, b);
                bool same = true;
                for (index_t e = 0; e < x.array.size(); ++e) same = same && x.array.data()[e] == *x.model.at[e];
                INFO(to.count << " of " << n << " x " << columns << ", rows from " << to.first << " by " << to.step
                              << ", written from " << from.first << " by " << from.step);
                CHECK(same);
            }
        }
}
