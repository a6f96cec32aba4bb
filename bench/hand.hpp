// The marks to reach: loops over registers written by hand for one purpose each. A length that is no multiple of the
// lanes ends with a register that overlaps the one before. Mathematical functions are Ricci's own kernels, so that the
// ratio shows what the engine adds to them; `namespace plain` has the same loops with xsimd's functions.
#pragma once
#include <ricci/cpu/math.hpp>
#include <xsimd/xsimd.hpp>

namespace hand {

using ricci::index_t;
using reg = ricci::simd<float>;
using batch = xsimd::batch<float>;
inline constexpr index_t lanes = reg::lanes;

/// body(i) for each register of [0, n), n >= lanes.
template <class Body>
[[gnu::always_inline]] inline void each_register(index_t n, Body body) {
    const index_t last = n - lanes;
    index_t i = 0;
    for (; i <= last; i += lanes) body(i);
    if (i < n) body(last);
}

/// The sum of body(i) over the registers of [0, n), by `Ways` accumulators.
template <int Ways, class Body>
[[gnu::always_inline]] inline float sum_registers(index_t n, Body body) {
    reg part[Ways];
    for (int w = 0; w < Ways; ++w) part[w] = reg(0.0f);
    index_t i = 0;
    for (; i + Ways * lanes <= n; i += Ways * lanes)
        for (int w = 0; w < Ways; ++w) part[w] += body(i + w * lanes);
    for (; i + lanes <= n; i += lanes) part[0] += body(i);
    for (int w = 1; w < Ways; ++w) part[0] += part[w];
    float total = reduce_add(part[0]);
    if (i < n) {
        float rest[lanes];
        body(n - lanes).store(rest);
        for (index_t k = lanes - (n - i); k < lanes; ++k) total += rest[k];
    }
    return total;
}

// ---- Element-wise --------------------------------------------------------------------------------------------------

[[gnu::noinline]] inline void multiply_add(const float* a, const float* b, const float* c, float* y, index_t n) {
    each_register(n, [&](index_t i) {
        const auto r = batch::load_unaligned(a + i) * batch::load_unaligned(b + i) + batch::load_unaligned(c + i);
        r.store_unaligned(y + i);
    });
}
[[gnu::noinline]] inline void chain(const float* x, float* y, index_t n) {
    each_register(n, [&](index_t i) {
        const reg v = reg::load(x + i), square = v * v;
        (ricci::math::sin(v) * ricci::math::exp(-square) / (reg(1.0f) + square)).store(y + i);
    });
}

/// y[i, j] = exp(v[i]) cos(v[j]), the functions in memory of their own.
[[gnu::noinline]] inline void outer_functions(const float* v, float* exps, float* cosines, float* y, index_t n) {
    each_register(n, [&](index_t i) {
        const reg x = reg::load(v + i);
        ricci::math::exp(x).store(exps + i);
        ricci::math::cos(x).store(cosines + i);
    });
    for (index_t row = 0; row < n; ++row) {
        const reg scale(exps[row]);
        each_register(n, [&](index_t i) { (scale * reg::load(cosines + i)).store(y + row * n + i); });
    }
}

// ---- Gradients -----------------------------------------------------------------------------------------------------

/// The chain's derivative: with r = 1 / (1 + x^2), exp(-x^2) r (cos(x) - 2 x sin(x) (1 + r)).
struct chain_parts {
    reg sine, weight, slope;  // the value is sine * weight
    [[gnu::always_inline]] explicit chain_parts(reg x) {
        reg cosine;
        ricci::math::sincos(x, sine, cosine);
        const reg one(1.0f), square = x * x, r = one / (one + square);
        weight = ricci::math::exp(-square) * r;
        slope = weight * (cosine - (x + x) * sine * (one + r));
    }
};
[[gnu::noinline]] inline void chain_gradient(const float* x, float* g, index_t n) {
    each_register(n, [&](index_t i) { chain_parts(reg::load(x + i)).slope.store(g + i); });
}
[[gnu::noinline]] inline float chain_value_and_gradient(const float* x, float* g, index_t n) {
    return sum_registers<1>(n, [&](index_t i) {
        const chain_parts p(reg::load(x + i));
        p.slope.store(g + i);
        return p.sine * p.weight;
    });
}
[[gnu::noinline]] inline void chain_tangent(const float* x, const float* x_dot, float* y, float* y_dot, index_t n) {
    each_register(n, [&](index_t i) {
        const chain_parts p(reg::load(x + i));
        (p.sine * p.weight).store(y + i);
        (p.slope * reg::load(x_dot + i)).store(y_dot + i);
    });
}

/// The Hessian of sum(100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2) times v.
[[gnu::noinline]] inline void rosenbrock_hvp(const float* x, const float* v, float* h, index_t n) {
    h[0] = (1200 * x[0] * x[0] - 400 * x[1] + 2) * v[0] - 400 * x[0] * v[1];
    h[n - 1] = 200 * v[n - 1] - 400 * x[n - 2] * v[n - 2];
    each_register(n - 2, [&](index_t k) {
        const index_t i = k + 1;
        const reg here = reg::load(x + i), v_here = reg::load(v + i);
        const reg own = reg(1200.0f) * here * here - reg(400.0f) * reg::load(x + i + 1) + reg(202.0f);
        const reg others = here * reg::load(v + i + 1) + reg::load(x + i - 1) * reg::load(v + i - 1);
        (own * v_here - reg(400.0f) * others).store(h + i);
    });
}

/// Gradients with respect to w of (sum(w * x) - y)^2, one row for each sample (x, y).
[[gnu::noinline]] inline void per_sample_gradients(const float* w, const float* x, const float* y, float* g, index_t samples,
                                                   index_t features) {
    for (index_t s = 0; s < samples; ++s, x += features, g += features) {
        const float dot = sum_registers<2>(features, [&](index_t i) { return reg::load(w + i) * reg::load(x + i); });
        const reg factor(2 * (dot - y[s]));
        each_register(features, [&](index_t i) { (factor * reg::load(x + i)).store(g + i); });
    }
}

// ---- Reductions and broadcasts -------------------------------------------------------------------------------------

[[gnu::noinline]] inline float sum_exp(const float* x, index_t n) {
    return sum_registers<2>(n, [&](index_t i) {
        const reg v = reg::load(x + i);
        return ricci::math::exp(-v * v);
    });
}
/// Four rows at a time, so that the sums pass through the cache a quarter as often.
[[gnu::noinline]] inline void sum_axis0(const float* x, float* y, index_t rows, index_t columns) {
    for (index_t j = 0; j < columns; ++j) y[j] = 0;
    index_t r = 0;
    for (; r + 4 <= rows; r += 4) {
        const float* at = x + r * columns;
        index_t j = 0;
        for (; j + lanes <= columns; j += lanes)
            (reg::load(y + j) + ((reg::load(at + j) + reg::load(at + columns + j)) +
                                 (reg::load(at + 2 * columns + j) + reg::load(at + 3 * columns + j))))
                .store(y + j);
        for (; j < columns; ++j) y[j] += at[j] + at[columns + j] + at[2 * columns + j] + at[3 * columns + j];
    }
    for (; r < rows; ++r)
        for (index_t j = 0; j < columns; ++j) y[j] += x[r * columns + j];
}
[[gnu::noinline]] inline void sum_axis1(const float* x, float* y, index_t rows, index_t columns) {
    for (index_t r = 0; r < rows; ++r)
        y[r] = sum_registers<4>(columns, [at = x + r * columns](index_t i) { return reg::load(at + i); });
}
/// Of groups of short rows.
[[gnu::noinline]] inline void sum_middle(const float* x, float* y, index_t groups, index_t rows, index_t columns) {
    for (index_t g = 0; g < groups; ++g, x += rows * columns, y += columns) {
        index_t j = 0;
        for (; j + lanes <= columns; j += lanes) {
            reg sum = reg::load(x + j), other(0.0f);
            index_t r = 1;
            for (; r + 2 <= rows; r += 2) {
                other = other + reg::load(x + r * columns + j);
                sum = sum + reg::load(x + (r + 1) * columns + j);
            }
            if (r < rows) other = other + reg::load(x + r * columns + j);
            (sum + other).store(y + j);
        }
        for (; j < columns; ++j) {
            float sum = 0;
            for (index_t r = 0; r < rows; ++r) sum += x[r * columns + j];
            y[j] = sum;
        }
    }
}
/// Groups of short rows, each group plus a row of its own: the last register of a row is computed again in part.
[[gnu::noinline]] inline void add_middle(const float* x, const float* w, float* y, index_t groups, index_t rows,
                                         index_t columns) {
    for (index_t g = 0; g < groups; ++g, w += columns)
        for (index_t r = 0; r < rows; ++r, x += columns, y += columns) {
            index_t j = 0;
            for (; j + lanes <= columns; j += lanes) (reg::load(x + j) + reg::load(w + j)).store(y + j);
            if (j < columns && columns >= lanes) {
                j = columns - lanes;
                (reg::load(x + j) + reg::load(w + j)).store(y + j);
            } else {
                for (; j < columns; ++j) y[j] = x[j] + w[j];
            }
        }
}
[[gnu::noinline]] inline void add_column(const float* a, const float* column, float* y, index_t rows, index_t columns) {
    for (index_t r = 0; r < rows; ++r, a += columns, y += columns) {
        const reg c(column[r]);
        each_register(columns, [&](index_t i) { (reg::load(a + i) + c).store(y + i); });
    }
}
[[gnu::noinline]] inline void add_row(const float* a, const float* row, float* y, index_t rows, index_t columns) {
    for (index_t r = 0; r < rows; ++r, a += columns, y += columns)
        each_register(columns, [&](index_t i) { (reg::load(a + i) + reg::load(row + i)).store(y + i); });
}

// ---- With xsimd's functions ----------------------------------------------------------------------------------------

namespace plain {

[[gnu::noinline]] inline void chain(const float* x, float* y, index_t n) {
    each_register(n, [&](index_t i) {
        const batch v = batch::load_unaligned(x + i), square = v * v;
        (xsimd::sin(v) * xsimd::exp(-square) / (batch(1.0f) + square)).store_unaligned(y + i);
    });
}
[[gnu::noinline]] inline void chain_gradient(const float* x, float* g, index_t n) {
    each_register(n, [&](index_t i) {
        const batch v = batch::load_unaligned(x + i), one(1.0f), square = v * v, r = one / (one + square);
        const auto both = xsimd::sincos(v);
        (xsimd::exp(-square) * r * (both.second - (v + v) * both.first * (one + r))).store_unaligned(g + i);
    });
}
[[gnu::noinline]] inline float sum_exp(const float* x, index_t n) {
    return sum_registers<2>(n, [&](index_t i) {
        const batch v = batch::load_unaligned(x + i);
        return reg::from_native(xsimd::exp(-v * v).data);
    });
}

}  // namespace plain
}  // namespace hand
