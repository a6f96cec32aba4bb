// GradBench's llsq, timed.
#include "llsq_hand.hpp"
#include "problems.hpp"

namespace gradbench {

void time_llsq(index_t n, index_t m) {
    const auto x = make_llsq(m), bar = rc::empty<double>({m});
    const llsq_objective f(n, m);
    const auto gradient = rc::value_and_grad(f);
    volatile double kept = 0;
    print_line("llsq n=" + std::to_string(n) + " m=" + std::to_string(m),
               {[&] { kept = rc::evaluate(f(x)).item(); }, [&] { (void)gradient(x); }},
               {[&] { kept = llsq_by_hand(n, m, x.data(), nullptr); },
                [&] { kept = llsq_by_hand(n, m, x.data(), bar.data()); }},
               torch_llsq(x.data(), n, m));
}

}  // namespace gradbench
