// Sparse LU factors: Gilbert and Peierls' columns, each by a triangular solve with those before, in an order that keeps
// them sparse.
#pragma once
#include <cmath>
#include <vector>

#include "../core/dtype.hpp"
#include "../core/error.hpp"
#include "sparse_order.hpp"

namespace ricci::detail {

/// L U = P A Q of a square matrix whose columns are given compressed: L has ones on its diagonal, which are not kept.
template <class T>
class sparse_lu {
    using index = std::int64_t;

   public:
    /// Entry k, for k from begin[j] to begin[j + 1], is at row[k] of column j; several at one place add up.
    sparse_lu(index_t n, const index* begin, const index* row, const T* value)
        : n_(n), order_(minimum_degree_order(n, begin, row)), place_(std::size_t(n), -1) {
        lower_begin_.reserve(std::size_t(n) + 1);
        upper_begin_.reserve(std::size_t(n) + 1);
        lower_begin_.push_back(0);
        upper_begin_.push_back(0);
        column_builder build(*this);
        for (index_t k = 0; k < n; ++k) build.add(k, begin, row, value);
        for (index& i : lower_row_) i = place_[std::size_t(i)];
    }
    index_t nonzeros() const { return index_t(lower_row_.size() + upper_row_.size()) + n_; }

    /// x becomes A^-1 x.
    void solve(T* x) const {
        std::vector<T> y(std::size_t(n_), T(0));
        for (index_t i = 0; i < n_; ++i) y[std::size_t(place_[std::size_t(i)])] = x[i];
        for (index_t k = 0; k < n_; ++k)
            for (index p = lower_begin_[std::size_t(k)]; p < lower_begin_[std::size_t(k) + 1]; ++p)
                y[std::size_t(lower_row_[std::size_t(p)])] -= lower_[std::size_t(p)] * y[std::size_t(k)];
        for (index_t k = n_; k-- > 0;) {
            y[std::size_t(k)] /= pivot_[std::size_t(k)];
            for (index p = upper_begin_[std::size_t(k)]; p < upper_begin_[std::size_t(k) + 1]; ++p)
                y[std::size_t(upper_row_[std::size_t(p)])] -= upper_[std::size_t(p)] * y[std::size_t(k)];
        }
        for (index_t k = 0; k < n_; ++k) x[order_[std::size_t(k)]] = y[std::size_t(k)];
    }
    /// x becomes A^-T x.
    void solve_transposed(T* x) const {
        std::vector<T> y(std::size_t(n_), T(0));
        for (index_t k = 0; k < n_; ++k) {
            T sum = x[order_[std::size_t(k)]];
            for (index p = upper_begin_[std::size_t(k)]; p < upper_begin_[std::size_t(k) + 1]; ++p)
                sum -= upper_[std::size_t(p)] * y[std::size_t(upper_row_[std::size_t(p)])];
            y[std::size_t(k)] = sum / pivot_[std::size_t(k)];
        }
        for (index_t k = n_; k-- > 0;)
            for (index p = lower_begin_[std::size_t(k)]; p < lower_begin_[std::size_t(k) + 1]; ++p)
                y[std::size_t(k)] -= lower_[std::size_t(p)] * y[std::size_t(lower_row_[std::size_t(p)])];
        for (index_t i = 0; i < n_; ++i) x[i] = y[std::size_t(place_[std::size_t(i)])];
    }

   private:
    /// The columns of L and U one after the other. Until all are there, L's rows are A's and not yet places.
    class column_builder {
       public:
        explicit column_builder(sparse_lu& to)
            : to_(to), x_(std::size_t(to.n_), T(0)), seen_(std::size_t(to.n_), -1), next_(std::size_t(to.n_)) {}
        void add(index_t k, const index* begin, const index* row, const T* value) {
            const index j = to_.order_[std::size_t(k)];
            reached_.clear();
            for (index p = begin[j]; p < begin[j + 1]; ++p)
                if (seen_[std::size_t(row[p])] != k) reach(row[p], k);
            for (index p = begin[j]; p < begin[j + 1]; ++p) x_[std::size_t(row[p])] += value[p];
            // those that others depend on come last: backward is in an order in which they can be computed
            for (std::size_t r = reached_.size(); r-- > 0;) {
                const index at = to_.place_[std::size_t(reached_[r])];
                if (at < 0) continue;
                const T u = x_[std::size_t(reached_[r])];
                for (index p = to_.lower_begin_[std::size_t(at)]; p < to_.lower_begin_[std::size_t(at) + 1]; ++p)
                    x_[std::size_t(to_.lower_row_[std::size_t(p)])] -= to_.lower_[std::size_t(p)] * u;
            }
            store(k, choose(j));
        }

       private:
        using magnitude = real_t<T>;
        /// What entry i makes not zero, depth first without recursion; each behind all that it leads to.
        void reach(index i, index_t k) {
            stack_.assign(1, i);
            seen_[std::size_t(i)] = k;
            next_[std::size_t(i)] = 0;
            while (!stack_.empty()) {
                const index top = stack_.back(), at = to_.place_[std::size_t(top)];
                bool deeper = false;
                if (at >= 0)
                    for (index p = to_.lower_begin_[std::size_t(at)] + next_[std::size_t(top)];
                         p < to_.lower_begin_[std::size_t(at) + 1]; ++p) {
                        const index to = to_.lower_row_[std::size_t(p)];
                        ++next_[std::size_t(top)];
                        if (seen_[std::size_t(to)] == k) continue;
                        seen_[std::size_t(to)] = k;
                        next_[std::size_t(to)] = 0;
                        stack_.push_back(to);
                        deeper = true;
                        break;
                    }
                if (deeper) continue;
                stack_.pop_back();
                reached_.push_back(top);
            }
        }
        /// The row of the pivot: that of the diagonal, which keeps the factors sparse, unless another is ten times as
        /// large.
        index choose(index j) const {
            magnitude largest = 0;
            index best = -1;
            for (const index i : reached_) {
                if (to_.place_[std::size_t(i)] >= 0) continue;
                const magnitude size = std::abs(x_[std::size_t(i)]);
                if (size > largest || size != size) {
                    largest = size;
                    best = i;
                }
            }
            if (best < 0 || largest != largest) return -1;
            const bool diagonal = seen_[std::size_t(j)] == to_.placed() && to_.place_[std::size_t(j)] < 0;
            return diagonal && std::abs(x_[std::size_t(j)]) >= magnitude(0.1) * largest ? j : best;
        }
        void store(index_t k, index row_of_pivot) {
            if (row_of_pivot < 0)
                raise<linalg_error>({"[spsolve] the matrix, ", to_.n_, " x ", to_.n_,
                                     ", is singular, or not finite: no pivot in column ", to_.order_[std::size_t(k)]});
            const T pivot = x_[std::size_t(row_of_pivot)];
            for (const index i : reached_) {
                const T v = x_[std::size_t(i)];
                x_[std::size_t(i)] = T(0);
                const index at = to_.place_[std::size_t(i)];
                if (at >= 0) {
                    to_.upper_row_.push_back(at);
                    to_.upper_.push_back(v);
                } else if (i != row_of_pivot) {
                    to_.lower_row_.push_back(i);
                    to_.lower_.push_back(v / pivot);
                }
            }
            to_.place_[std::size_t(row_of_pivot)] = k;
            to_.pivot_.push_back(pivot);
            to_.lower_begin_.push_back(index(to_.lower_row_.size()));
            to_.upper_begin_.push_back(index(to_.upper_row_.size()));
        }

        sparse_lu& to_;
        std::vector<T> x_;
        std::vector<index> seen_, next_, stack_, reached_;
    };
    index_t placed() const { return index_t(pivot_.size()); }

    index_t n_;
    std::vector<index> order_;  // which column of A is the k-th
    std::vector<index> place_;  // where a row of A is, -1 until it has a pivot
    std::vector<index> lower_begin_, lower_row_, upper_begin_, upper_row_;
    std::vector<T> lower_, upper_, pivot_;
};

}  // namespace ricci::detail
