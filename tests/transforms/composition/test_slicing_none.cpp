#include "composition.hpp"

TEST_CASE("composition: none of everything over slicing") { composition::check_outer<composition::slicing, composition::none>(); }
