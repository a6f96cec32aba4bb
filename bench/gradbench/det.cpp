// GradBench's det, timed.
#include "det_hand.hpp"
#include "problems.hpp"

namespace gradbench {

void time_det(index_t l) {
    const auto a = make_det(l), bar = rc::zeros<double>({l, l});
    const auto f = [](const auto& x) { return determinant(x); };
    const auto gradient = rc::value_and_grad(f);
    det_by_hand hand(a);
    volatile double kept = 0;
    print_line("det l=" + std::to_string(l), {[&] { kept = f(a).item(); }, [&] { (void)gradient(a); }},
               {[&] { kept = hand.value(); }, [&] { kept = hand.gradient(bar.data()); }});
}

}  // namespace gradbench
