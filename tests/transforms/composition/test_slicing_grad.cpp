#include "composition.hpp"

TEST_CASE("composition: grad of everything over slicing") { composition::check_outer<composition::slicing, composition::grad>(); }
