// Decays: their Jacobians, compiled apart from the other models so that no translation unit is large.
#include "linearize.hpp"

namespace nist {
template linearizer linearize(const decltype(models::chwirut)&, const dataset&);
template linearizer linearize(const decltype(models::lanczos)&, const dataset&);
template linearizer linearize(const decltype(models::nelson)&, const dataset&);
template linearizer linearize(const decltype(models::mgh10)&, const dataset&);
template linearizer linearize(const decltype(models::mgh17)&, const dataset&);
}  // namespace nist
