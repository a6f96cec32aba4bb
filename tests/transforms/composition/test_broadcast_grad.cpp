#include "composition.hpp"

TEST_CASE("composition: grad of everything over broadcast") { composition::check_outer<composition::broadcast, composition::grad>(); }
