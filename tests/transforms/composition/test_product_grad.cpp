#include "composition.hpp"

TEST_CASE("composition: grad of everything over product") { composition::check_outer<composition::product, composition::grad>(); }
