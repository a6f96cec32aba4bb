#include "composition.hpp"

TEST_CASE("composition: grad of everything over chain") { composition::check_outer<composition::chain, composition::grad>(); }
