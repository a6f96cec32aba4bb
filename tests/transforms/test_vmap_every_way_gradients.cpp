// Every way to map the arguments of the gradient of an op of two arrays.
#include "exhaustive.hpp"

using namespace mapped;

TEST_CASE("every way, gradients: element-wise") {
    check_gradients_every_way([](auto a, auto b) { return a * b - b; }, shape<2>{4, 3}, shape<1>{3});
}
TEST_CASE("every way, gradients: matmul") {
    check_gradients_every_way([](auto a, auto b) { return matmul(a, b); }, shape<2>{2, 4}, shape<1>{4});
}
TEST_CASE("every way, gradients: concat, stack") {
    check_gradients_every_way([](auto a, auto b) { return concat(ricci::tuple(a, b), 0); }, shape<2>{4, 3}, shape<2>{1, 3});
    check_gradients_every_way([](auto a, auto b) { return stack(ricci::tuple(a, a * b), -1); }, shape<1>{3}, shape<1>{3});
}
