#include "composition.hpp"

TEST_CASE("composition: jvp of everything over selection") { composition::check_outer<composition::selection, composition::jvp>(); }
