// The problems, each timed in a translation unit of its own.
#pragma once
#include <ricci/core/shape.hpp>

#include "report.hpp"

namespace gradbench {

using ricci::index_t;

void time_ba(index_t n, index_t m, index_t p);

}  // namespace gradbench
