#include "composition.hpp"

TEST_CASE("composition: none of everything over selection") { composition::check_outer<composition::selection, composition::none>(); }
