// Sparse Jacobians and Hessians: many columns, or rows, by one product each colour.
#pragma once
#include "../core/spinlock.hpp"
#include "coloring.hpp"

namespace ricci {
namespace detail {

/// How the entries of a derivative come out of products with sums of unit vectors: `seeds`, one a row, and for each
/// entry its place in the products, one a row, `width` elements wide.
struct compression {
    sparsity_pattern pattern;
    bool by_rows = false;
    tensor<double, 2> seeds;
    index_t width = 0;
    tensor<std::int64_t, 1> place;

    compression() = default;
    /// `line(i, j)` is the row or column whose product holds entry (i, j), `at(i, j)` where.
    template <class Line, class At>
    compression(const sparsity_pattern& p, bool rows, const coloring& c, index_t products_width, const Line& line,
                const At& at)
        : pattern(p),
          by_rows(rows),
          seeds(tensor<double, 2>::uninitialized({c.count, c.colors.size()})),
          width(products_width),
          place(tensor<std::int64_t, 1>::uninitialized({p.nnz()})) {
        std::fill_n(seeds.data(), seeds.size(), 0.0);
        for (index_t v = 0; v < c.colors.size(); ++v) seeds.at(c.colors.at(v), v) = 1;
        p.entries().for_entries(
            [&](index_t k, index_t i, index_t j) { place.at(k) = c.colors.at(line(i, j)) * width + at(i, j); });
    }
    index_t colors() const { return seeds.shape()[0]; }

    /// The matrix, from `product(seed)`, chunks of seeds at a time.
    template <class T, class Product>
    csr_matrix<T> values(const Product& product) const {
        const auto products = tensor<T, 2>::uninitialized({colors(), width});
        const index_t chunk = chunk_of_rows(width > seeds.shape()[1] ? width : seeds.shape()[1]);
        for (index_t first = 0; first < colors(); first += chunk) {
            const slice rows(first, first + chunk);
            const auto some = evaluate(vmap(product)(evaluate_as<T>(seeds(rows))));
            static_assert(
                std::remove_cvref_t<decltype(some)>::rank == 2,
                "ricci: sparse derivatives are of functions from vectors to vectors or, Hessians, to scalars");
            if (some.shape()[1] != width) refuse_shape(some.shape()[1]);
            products(rows) = some;
        }
        csr_matrix<T> m{pattern.row_offsets().clone(), pattern.columns().clone(),
                        tensor<T, 1>::uninitialized({pattern.nnz()}), pattern.shape()};
        for (index_t k = 0; k < pattern.nnz(); ++k) m.values.data()[k] = products.data()[place.data()[k]];
        return m;
    }

   private:
    [[noreturn, gnu::cold]] RICCI_NOINLINE void refuse_shape(index_t results) const {
        raise<shape_error>({"[sparse_jacobian] a pattern of shape ", pattern.shape(), " does not fit a function with ",
                            results, by_rows ? " arguments" : " results"});
    }
};

inline compression jacobian_compression(const sparsity_pattern& p) {
    const auto columns = column_coloring(p), rows = row_coloring(p);
    const auto row = [](index_t i, index_t) { return i; };
    const auto column = [](index_t, index_t j) { return j; };
    if (columns.count <= rows.count) return compression(p, false, columns, p.shape()[0], column, row);
    return compression(p, true, rows, p.shape()[1], row, column);
}
inline compression hessian_compression(const sparsity_pattern& p) {
    if (p.shape()[0] != p.shape()[1])
        raise<shape_error>({"[sparse_hessian] the pattern of a Hessian is square, not ", p.shape()});
    const auto star = star_coloring(p);
    const std::int64_t* color = star.colors.data();
    // entry (i, j) stands alone in row i of the product of j's colour, unless i has another neighbour of that colour
    const std::int64_t* first = p.row_offsets().data();
    const std::int64_t* to = p.columns().data();
    const auto alone = [&](index_t i, index_t j) {
        index_t others = 0;
        for (index_t k = first[i]; k < first[i + 1]; ++k) others += to[k] != j && color[to[k]] == color[j];
        return others == 0;
    };
    const auto line = [&](index_t i, index_t j) { return alone(i, j) ? j : i; };
    const auto at = [&](index_t i, index_t j) { return alone(i, j) ? i : j; };
    return compression(p, false, star, p.shape()[0], line, at);
}

/// A function with the plan of its sparse derivative, which is made once: from a given pattern, or from the one found
/// at the first argument, and anew when arguments of another size come. Calls may run at the same time.
template <class Rule, class F>
class sparse_derivative {
   public:
    explicit sparse_derivative(const F& f) : f_(f) {}
    sparse_derivative(const F& f, const sparsity_pattern& p)
        : f_(f), given_(true), planned_(true), plan_(Rule::compress(p)) {}
    sparse_derivative(const sparse_derivative& other)
        : f_(other.f_), given_(other.given_), plan_(other.known(planned_)) {}

    /// The derivative at x.
    template <expression E>
    auto operator()(const E& x) const {
        const auto a = evaluate(x);
        using X = std::remove_cvref_t<decltype(a)>;
        check_sparse_argument<X>();
        if constexpr (is_plain_vector<X>) return Rule::evaluate(f_, plan(a), a);
        else return csr_matrix<typename X::value_type>();  // that was refused: no more errors
    }
    /// The pattern that is used at x.
    template <expression E>
    sparsity_pattern pattern(const E& x) const {
        return plan(evaluate(x)).pattern;
    }
    /// How many products give the derivative at x.
    template <expression E>
    index_t colors(const E& x) const {
        return plan(evaluate(x)).colors();
    }

   private:
    compression known(bool& planned) const {
        const spin_guard guard(lock_);
        planned = planned_;
        return plan_;
    }
    template <class X>
    compression plan(const X& x) const {
        bool planned = false;
        auto p = known(planned);
        if (planned && p.pattern.shape()[1] == x.size()) return p;
        if (given_)
            raise<shape_error>({"[", Rule::name, "] a pattern of shape ", p.pattern.shape(),
                                " does not fit an argument of shape ", x.shape()});
        p = Rule::compress(Rule::find(f_, x));
        const spin_guard guard(lock_);
        plan_ = p;
        planned_ = true;
        return p;
    }

    F f_;
    bool given_ = false;
    mutable spinlock lock_;
    mutable bool planned_ = false;  // before plan_, whose copy sets it
    mutable compression plan_;
};

struct sparse_jacobian_rule {
    static constexpr const char* name = "sparse_jacobian";
    static compression compress(const sparsity_pattern& p) { return jacobian_compression(p); }
    template <class F, class X>
    static sparsity_pattern find(const F& f, const X& x) {
        return jacobian_sparsity(f, x);
    }
    template <class F, class X>
    static auto evaluate(const F& f, const compression& plan, const X& x) {
        using T = typename X::value_type;
        if (!plan.by_rows)
            return plan.values<T>(of_directions{[&](const auto& v) { return std::get<1>(jvp(f, x, v)); }});
        const auto pair = vjp(f, x);
        const auto& y = std::get<0>(pair);
        static_assert(!is_complex_v<typename std::remove_cvref_t<decltype(y)>::value_type>,
                      "ricci: sparse derivatives are those of real functions");
        if (y.size() != plan.pattern.shape()[0])
            raise<shape_error>({"[", name, "] a pattern of shape ", plan.pattern.shape(),
                                " does not fit a function with ", y.size(), " results"});
        return plan.values<T>(of_directions{[&](const auto& c) { return std::get<1>(pair)(c); }});
    }
};
struct sparse_hessian_rule {
    static constexpr const char* name = "sparse_hessian";
    static compression compress(const sparsity_pattern& p) { return hessian_compression(p); }
    template <class F, class X>
    static sparsity_pattern find(const F& f, const X& x) {
        return hessian_sparsity(f, x);
    }
    template <class F, class X>
    static auto evaluate(const F& f, const compression& plan, const X& x) {
        return plan.values<typename X::value_type>(of_directions{[&](const auto& v) { return hvp(f, x, v); }});
    }
};

}  // namespace detail

/// The Jacobian of f, from vectors to vectors, as a sparse matrix: a function of x that gives a csr_matrix. Columns
/// that have no row in common are computed together (Curtis, Powell and Reid 1974), or rows that have no column in
/// common where that takes fewer products: as many jvps, or vjps, as there are colours, batched. The pattern is found
/// at the first x (see jacobian_sparsity, also for what it cannot see) unless given; pattern and colours are kept for
/// the calls that follow. x is a plain tensor of rank 1 on the CPU. Throws shape_error when the pattern does not fit.
/// Entries that the pattern lacks are added to others, unnoticed.
template <class F>
auto sparse_jacobian(F f) {
    return detail::sparse_derivative<detail::sparse_jacobian_rule, F>(f);
}
template <class F>
auto sparse_jacobian(F f, const sparsity_pattern& pattern) {
    return detail::sparse_derivative<detail::sparse_jacobian_rule, F>(f, pattern);
}

/// The Hessian of f, from vectors to scalars, as sparse_jacobian gives Jacobians: Hessian-vector products by a star
/// colouring (Gebremedhin, Manne and Pothen 2005), which reads an entry from its mirror image where that saves
/// products. Throws shape_error when the pattern is not square or does not fit x, value_error when it is not symmetric.
template <class F>
auto sparse_hessian(F f) {
    return detail::sparse_derivative<detail::sparse_hessian_rule, F>(f);
}
template <class F>
auto sparse_hessian(F f, const sparsity_pattern& pattern) {
    return detail::sparse_derivative<detail::sparse_hessian_rule, F>(f, pattern);
}

}  // namespace ricci
