// Every way to map the arguments of einsum and of the other products, and of their gradients.
#include "exhaustive.hpp"

using namespace mapped;

TEST_CASE("every way: einsum") {
    const auto f = [](auto a, auto b) { return einsum<"ij,jki->k">(a, b); };
    check_every_way(f, shape<2>{2, 4}, shape<3>{4, 3, 2});
    check_gradients_every_way(f, shape<2>{2, 4}, shape<3>{4, 3, 2});
}
TEST_CASE("every way: a matrix product among three operands") {
    const auto m = spread({3, 4}, 5);
    check_every_way([m](auto a, auto b) { return einsum<"ij,jk,kl->il">(a, m, b); }, shape<2>{2, 3}, shape<2>{4, 2});
}
TEST_CASE("every way: vecdot, outer") {
    check_every_way([](auto a, auto b) { return vecdot(a, b) + sum(outer(a, b)); }, shape<1>{3}, shape<1>{3});
}
