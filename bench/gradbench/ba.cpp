// GradBench's BA, timed.
#include "ba_hand.hpp"
#include "problems.hpp"

namespace gradbench {

void time_ba(index_t n, index_t m, index_t p) {
    const auto d = make_ba(n, m, p);
    const ba_objective f(d);
    const auto errors = rc::empty<double>({3 * p});
    print_line("BA n=" + std::to_string(n) + " m=" + std::to_string(m) + " p=" + std::to_string(p),
               {[&] { (void)f(); }, [&] { (void)f.jacobian(); }},
               {[&] { ba_errors_by_hand(d, errors.data()); }, [&] { (void)ba_jacobian_by_hand(d); }});
}

}  // namespace gradbench
