#include "composition.hpp"

TEST_CASE("composition: none of everything over product") { composition::check_outer<composition::product, composition::none>(); }
