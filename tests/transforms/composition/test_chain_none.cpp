#include "composition.hpp"

TEST_CASE("composition: none of everything over chain") { composition::check_outer<composition::chain, composition::none>(); }
