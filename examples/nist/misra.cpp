// The four adsorption models of Misra: their Jacobians, compiled apart from the other models so that no translation
// unit is large.
#include "linearize.hpp"

namespace nist {
template linearizer linearize(const decltype(models::misra1a)&, const dataset&);
template linearizer linearize(const decltype(models::misra1b)&, const dataset&);
template linearizer linearize(const decltype(models::misra1c)&, const dataset&);
template linearizer linearize(const decltype(models::misra1d)&, const dataset&);
}  // namespace nist
