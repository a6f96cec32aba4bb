#include "composition.hpp"

TEST_CASE("composition: jvp of everything over broadcast") { composition::check_outer<composition::broadcast, composition::jvp>(); }
