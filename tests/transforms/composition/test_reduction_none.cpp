#include "composition.hpp"

TEST_CASE("composition: none of everything over reduction") { composition::check_outer<composition::reduction, composition::none>(); }
