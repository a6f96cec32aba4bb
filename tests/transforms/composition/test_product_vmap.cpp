#include "composition.hpp"

TEST_CASE("composition: vmap of everything over product") { composition::check_outer<composition::product, composition::vmap>(); }
