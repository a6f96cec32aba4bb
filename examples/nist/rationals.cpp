// Ratios of polynomials: their Jacobians, compiled apart from the other models so that no translation unit is large.
#include "linearize.hpp"

namespace nist {
template linearizer linearize(const decltype(models::kirby2)&, const dataset&);
template linearizer linearize(const decltype(models::cubic_over_cubic)&, const dataset&);
template linearizer linearize(const decltype(models::mgh09)&, const dataset&);
}  // namespace nist
