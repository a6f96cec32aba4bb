#include "composition.hpp"

TEST_CASE("composition: vmap of everything over reduction") { composition::check_outer<composition::reduction, composition::vmap>(); }
