#include "composition.hpp"

TEST_CASE("composition: vmap of everything over selection") { composition::check_outer<composition::selection, composition::vmap>(); }
