// The expansion in minors and its gradient in plain loops, as one would write them by hand.
#pragma once
#include <vector>

#include "det.hpp"

namespace gradbench {

/// Minors are what is left of a linked list of columns; row `l - size` is the first of one of `size`.
class det_by_hand {
   public:
    explicit det_by_hand(const rc::tensor<double, 2>& a) : a_(a.data()), l_(a.shape(0)), next_(std::size_t(l_ + 1)) {
        for (index_t j = 0; j <= l_; ++j) next_[std::size_t(j)] = (j + 1) % (l_ + 1);  // the head is l_
    }
    double value() { return minor(l_); }
    /// Adds the gradient to `bar`.
    double gradient(double* bar) {
        const double y = minor(l_);
        backward(l_, 1, bar);
        return y;
    }

   private:
    index_t& next(index_t column) { return next_[std::size_t(column)]; }
    double minor(index_t size) {
        const double* row = a_ + (l_ - size) * l_;
        if (size == 1) return row[next(l_)];
        double sum = 0, sign = 1;
        for (index_t before = l_, j = next(l_); j != l_; before = j, j = next(j), sign = -sign) {
            next(before) = next(j);
            sum += sign * row[j] * minor(size - 1);
            next(before) = j;
        }
        return sum;
    }
    /// The adjoints of a minor whose own is y_bar: those of its first row need the minors below it again.
    void backward(index_t size, double y_bar, double* bar) {
        const double* row = a_ + (l_ - size) * l_;
        double* row_bar = bar + (l_ - size) * l_;
        if (size == 1) {
            row_bar[next(l_)] += y_bar;
            return;
        }
        double sign = 1;
        for (index_t before = l_, j = next(l_); j != l_; before = j, j = next(j), sign = -sign) {
            next(before) = next(j);
            row_bar[j] += y_bar * sign * minor(size - 1);
            backward(size - 1, y_bar * sign * row[j], bar);
            next(before) = j;
        }
    }

    const double* a_;
    index_t l_;
    std::vector<index_t> next_;
};

}  // namespace gradbench
