// GradBench's ode, timed.
#include "ode_hand.hpp"
#include "problems.hpp"

namespace gradbench {

void time_ode(index_t n, index_t steps) {
    const auto x = make_ode(n), y = rc::empty<double>({n}), bar = rc::empty<double>({n});
    const auto f = [steps](const auto& v) { return ode_last(v, steps); };
    const auto gradient = rc::grad(f);
    ode_by_hand hand(n, steps);
    print_line("ode n=" + std::to_string(n) + " s=" + std::to_string(steps),
               {[&] { (void)ode_solution(x, steps); }, [&] { (void)gradient(x); }},
               {[&] { hand.value(x.data(), y.data()); }, [&] { hand.gradient(x.data(), y.data(), bar.data()); }});
}

}  // namespace gradbench
