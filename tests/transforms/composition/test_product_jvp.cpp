#include "composition.hpp"

TEST_CASE("composition: jvp of everything over product") { composition::check_outer<composition::product, composition::jvp>(); }
