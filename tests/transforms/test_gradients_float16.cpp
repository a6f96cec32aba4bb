// Gradients of float16.
#include "../core/dtypes/half.hpp"

TEST_CASE("gradients: float16, by every transform") { dtypes::check_half_gradients<ricci::float16>(); }
