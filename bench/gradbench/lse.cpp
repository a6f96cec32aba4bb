// GradBench's LSE, timed.
#include "lse_hand.hpp"
#include "problems.hpp"

namespace gradbench {

void time_lse(index_t n) {
    const auto x = make_lse(n), bar = rc::empty<double>({n});
    const auto f = [](const auto& v) { return log_sum_exp(v); };
    const auto gradient = rc::value_and_grad(f);
    volatile double kept = 0;
    print_line(
        "LSE n=" + std::to_string(n), {[&] { kept = f(x).item(); }, [&] { (void)gradient(x); }},
        {[&] { kept = lse_by_hand(n, x.data(), nullptr); }, [&] { kept = lse_by_hand(n, x.data(), bar.data()); }},
        torch_lse(x.data(), n));
}

}  // namespace gradbench
