#include "composition.hpp"

TEST_CASE("composition: jvp of everything over slicing") { composition::check_outer<composition::slicing, composition::jvp>(); }
