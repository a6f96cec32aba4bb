// The compiled engine: the bodies of what RICCI_COMPILED leaves out of a translation unit, for ricci::compiled.
#define RICCI_BUILDS_COMPILED
#include <ricci/ricci.hpp>

#if !defined(RICCI_COMPILED)
#error "the library is built with RICCI_COMPILED, as what links it is"
#endif
#if defined(RICCI_USE_CBLAS)
#error "RICCI_USE_CBLAS is for units: the library has the products of those that do without"
#endif
