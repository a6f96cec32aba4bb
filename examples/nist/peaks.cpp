// Peaks and growth curves: their Jacobians, compiled apart from the other models so that no translation unit is large.
#include "linearize.hpp"

namespace nist {
template linearizer linearize(const decltype(models::gauss)&, const dataset&);
template linearizer linearize(const decltype(models::eckerle4)&, const dataset&);
template linearizer linearize(const decltype(models::rat42)&, const dataset&);
template linearizer linearize(const decltype(models::rat43)&, const dataset&);
}  // namespace nist
