#include "composition.hpp"

TEST_CASE("composition: vmap of everything over chain") { composition::check_outer<composition::chain, composition::vmap>(); }
