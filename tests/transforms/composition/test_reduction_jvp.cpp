#include "composition.hpp"

TEST_CASE("composition: jvp of everything over reduction") { composition::check_outer<composition::reduction, composition::jvp>(); }
