// GradBench's LSE: log sum exp, safe for large exponents.
#pragma once
#include "inputs.hpp"

namespace gradbench {

/// log sum exp over the first axis.
template <class X>
auto log_sum_exp(const X& x) {
    const auto largest = rc::stop_gradient(rc::max(x, 0));
    return rc::evaluate(log(sum(exp(x - largest), 0)) + largest);
}

inline rc::tensor<double, 1> make_lse(index_t n) { return uniform(rc::shape<1>{n}, 1, -3, 3); }

}  // namespace gradbench
