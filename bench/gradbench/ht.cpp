// GradBench's HT, timed.
#include "ht_hand.hpp"
#include "problems.hpp"

namespace gradbench {

void time_ht(index_t vertices, index_t n, bool complicated) {
    const auto d = make_ht(vertices, n);
    const auto theta = make_ht_pose();
    const auto places = make_ht_places(n), error = rc::empty<double>({3, n}), jacobian = rc::empty<double>({3 * n, 28});
    const ht_objective f(d);
    ht_by_hand hand(d);
    const double* u = complicated ? places.data() : nullptr;
    const auto value = [&] { complicated ? (void)f(theta, places) : (void)f(theta); };
    const auto derivative = [&] { complicated ? (void)f.jacobian(theta, places) : (void)f.jacobian(theta); };
    print_line(std::string("HT ") + (complicated ? "complicated" : "simple") + " n=" + std::to_string(n),
               {value, derivative},
               {[&] { hand(theta.data(), u, error.data(), nullptr); },
                [&] { hand(theta.data(), u, error.data(), jacobian.data()); }});
}

}  // namespace gradbench
