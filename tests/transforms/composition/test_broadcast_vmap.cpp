#include "composition.hpp"

TEST_CASE("composition: vmap of everything over broadcast") { composition::check_outer<composition::broadcast, composition::vmap>(); }
