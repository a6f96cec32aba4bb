#include "composition.hpp"

TEST_CASE("composition: grad of everything over reduction") { composition::check_outer<composition::reduction, composition::grad>(); }
