// Powers and angles: their Jacobians, compiled apart from the other models so that no translation unit is large.
#include "linearize.hpp"

namespace nist {
template linearizer linearize(const decltype(models::danwood)&, const dataset&);
template linearizer linearize(const decltype(models::roszman1)&, const dataset&);
template linearizer linearize(const decltype(models::enso)&, const dataset&);
template linearizer linearize(const decltype(models::bennett5)&, const dataset&);
}  // namespace nist
