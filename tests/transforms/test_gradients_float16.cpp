// Gradients of float16.
#include "../core/dtypes/half.hpp"

TEST_CASE("gradients: of float16, whose adjoints are summed as float") {
    dtypes::check_half_gradients<ricci::float16>();
}
