#include "composition.hpp"

TEST_CASE("composition: none of everything over broadcast") { composition::check_outer<composition::broadcast, composition::none>(); }
