// Gradients of bfloat16.
#include "../core/dtypes/half.hpp"

TEST_CASE("gradients: of bfloat16, whose adjoints are summed as float") {
    dtypes::check_half_gradients<ricci::bfloat16>();
}
