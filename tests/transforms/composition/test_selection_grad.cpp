#include "composition.hpp"

TEST_CASE("composition: grad of everything over selection") { composition::check_outer<composition::selection, composition::grad>(); }
