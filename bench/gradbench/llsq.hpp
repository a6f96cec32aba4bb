// GradBench's llsq: half the sum of squares of the difference between a polynomial and the sign function (cmpad's
// llsq_obj).
#pragma once
#include "inputs.hpp"

namespace gradbench {

/// The coefficients x are fitted at n places t, evenly spaced in [-1, 1].
class llsq_objective {
   public:
    llsq_objective(index_t n, index_t m) : powers_(rc::empty<double>({n, m})), signs_(rc::empty<double>({n})) {
        const auto t = rc::evaluate(2.0 * rc::arange<double>(double(n)) / double(n - 1) - 1.0);
        signs_ = where(t > 0.0, 1.0, where(t < 0.0, -1.0, 0.0));
        powers_(rc::all, 0) = 1.0;
        for (index_t j = 1; j < m; ++j) powers_(rc::all, j) = powers_(rc::all, j - 1) * t;
    }
    template <class X>
    auto operator()(const X& x) const {
        return 0.5 * sum(square(signs_ - matmul(powers_, x)));
    }

   private:
    rc::tensor<double, 2> powers_;  // (n, m)
    rc::tensor<double, 1> signs_;   // (n)
};

inline rc::tensor<double, 1> make_llsq(index_t m) { return uniform(rc::shape<1>{m}, 1); }

}  // namespace gradbench
