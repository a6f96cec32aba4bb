// GradBench's GMM, timed.
#include "gmm_hand.hpp"
#include "problems.hpp"

namespace gradbench {

void time_gmm(index_t n, index_t d, index_t k) {
    const gmm_data g = make_gmm(n, d, k);
    const gmm_objective f(g);
    const auto gradient = rc::value_and_grad(f, rc::argnums<0, 1, 2>);
    gmm_by_hand hand(g);
    const gmm_parameters bar{rc::zeros<double>({k}), rc::zeros<double>({k, d}),
                             rc::zeros<double>({k, d * (d + 1) / 2})};
    print_line("GMM d=" + std::to_string(d) + " k=" + std::to_string(k) + " n=" + std::to_string(n),
               {[&] { (void)rc::evaluate(f(g.at.alphas, g.at.means, g.at.roots)).item(); },
                [&] { (void)gradient(g.at.alphas, g.at.means, g.at.roots); }},
               {[&] { (void)hand(g.at, nullptr); }, [&] { (void)hand(g.at, &bar); }},
               torch_gmm(g.points.data(), g.at.alphas.data(), g.at.means.data(), g.at.roots.data(), n, d, k));
}

}  // namespace gradbench
