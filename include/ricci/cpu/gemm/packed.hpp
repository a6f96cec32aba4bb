// Matrix products of packed blocks: for matrices of which every element is used many times.
#pragma once
#include "complex.hpp"
#include "problem.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

inline index_t divided_up(index_t n, index_t by) { return (n + by - 1) / by; }
/// n in pieces of at most `most`, as even as multiples of `step` allow: the size of all but the last.
inline index_t even_block(index_t n, index_t most, index_t step) {
    return divided_up(divided_up(n, divided_up(n, most)), step) * step;
}

/// A block of B is packed, by all threads; then each takes rows of A, packs them and multiplies. Complex numbers are
/// packed as real ones, so that the real kernel gives the interleaved parts of C (complex.hpp).
template <class T>
class packed_gemm {
    using R = gemm_real<T>;
    using blocks = gemm_blocks<R>;
    static constexpr index_t parts = is_complex_v<T> ? 2 : 1, panel = blocks::columns / parts, together = 8;
    const gemm_problem<T>& g;
    R* const c;  // the result's parts
    const index_t c_row;
    const bool lower;                          // only the lower triangle of C, and what is in its tiles
    index_t width, depth, height;              // of the blocks
    index_t blocks_down, packs, tall, across;  // of B along k; chunks that pack; pieces of C's rows and of its columns
    storage right;

   public:
    /// The elements of C go to `to`, as many as `to_row` from row to row.
    packed_gemm(const gemm_problem<T>& problem, R* to, index_t to_row, bool triangle = false)
        : g(problem),
          c(to),
          c_row(to_row),
          lower(triangle),
          width(even_block(g.n, blocks::width / parts, panel)),
          depth(even_block(g.k, blocks::depth / parts, 8)),
          blocks_down(divided_up(g.k, depth)),
          packs(divided_up(width, together * panel)) {
        const index_t threads = g.m * g.n * g.k < gemm_shared ? 1 : num_threads();
        const index_t wanted = threads > 1 ? 3 * threads : 1;
        const index_t least_height = 4 * blocks::rows, most = even_block(g.m, blocks::height, blocks::rows);
        height = divided_up(divided_up(g.m, wanted), blocks::rows) * blocks::rows;
        height = least(most, height < least_height ? least_height : height);
        tall = divided_up(g.m, height);
        across = least(divided_up(width, 4 * panel), divided_up(wanted, tall));
        right = storage::allocate(
            static_cast<std::size_t>(parts * parts * divided_up(width, panel) * panel * least(g.k, depth)) * sizeof(R));
    }
    void run() {
        const index_t rounds = divided_up(g.n, width) * blocks_down;
        const auto chunk = [](void* self, index_t round, index_t i) {
            const packed_gemm& p = *static_cast<const packed_gemm*>(self);
            i < p.packs ? p.pack(round, i) : p.multiply(round, i - p.packs);
        };
        if (tall * across == 1) {
            for (index_t r = 0; r < rounds; ++r)
                for (index_t i = 0; i <= packs; ++i) chunk(this, r, i);
        } else {
            alternating_loops{chunk, this, packs, tall * across}.run(rounds);
        }
    }

   private:
    R* packed() const { return static_cast<R*>(right.data()); }
    struct block {
        index_t column, columns, p, k;
    };
    block at(index_t round) const {
        const index_t column = round / blocks_down * width, p = round % blocks_down * depth;
        return {column, least(g.n - column, width), p, least(g.k - p, depth)};
    }
    void pack(index_t round, index_t chunk) const {
        const block b = at(round);
        const T* const from = g.b + b.p * g.b_row + b.column * g.b_col;
        for (index_t j = chunk * together * panel, end = least(b.columns, j + together * panel); j < end; j += panel)
            pack_right<blocks::columns>(b.k, from + j * g.b_col, g.b_col, g.b_row,
                                        static_cast<int>(least(b.columns - j, panel)),
                                        packed() + parts * parts * j * b.k);
    }
    void multiply(index_t round, index_t chunk) const {
        const block b = at(round);
        const index_t row = chunk / across * height, rows = least(g.m - row, height);
        const index_t strip = divided_up(divided_up(width, across), panel) * panel;
        index_t j = chunk % across * strip;
        const index_t columns = least(b.columns - j, strip);
        if (columns <= 0 || (lower && row + rows <= b.column + j)) return;
        const storage left = storage::allocate(
            static_cast<std::size_t>(parts * divided_up(rows, blocks::rows) * blocks::rows * b.k) * sizeof(R));
        R* const a = static_cast<R*>(left.data());
        pack_rows(rows, b.k, g.a + row * g.a_row + b.p * g.a_col, g.a_row, g.a_col, a);
        const bool completes = g.epilogue && b.p + b.k == g.k;
        const index_t some = completes ? 4 * panel : columns;  // that stay in L2
        for (const index_t end = j + columns; j < end; j += some) {
            const index_t width_now = least(end - j, some), column = b.column + j;
            multiply_packed(rows, parts * width_now, parts * b.k, a, packed() + parts * parts * j * b.k,
                            c + row * c_row + parts * column, c_row, b.p > 0,
                            lower ? parts * (row - column) : parts * width_now, parts);
            if (completes) g.complete(g.c + row * g.c_row + column, rows, width_now);
        }
    }
};
template <class T>
void gemm_packed(const gemm_problem<T>& g) {
    constexpr index_t parts = is_complex_v<T> ? 2 : 1;
    const bool symmetric = g.is_symmetric();
    packed_gemm<T>(g, reinterpret_cast<gemm_real<T>*>(g.c), parts * g.c_row, symmetric).run();
    if (symmetric) mirror_lower(g);
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif  // RICCI_HAS_SIMD
