#include "composition.hpp"

TEST_CASE("composition: jvp of everything over chain") { composition::check_outer<composition::chain, composition::jvp>(); }
