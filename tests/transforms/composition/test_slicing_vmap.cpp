#include "composition.hpp"

TEST_CASE("composition: vmap of everything over slicing") { composition::check_outer<composition::slicing, composition::vmap>(); }
