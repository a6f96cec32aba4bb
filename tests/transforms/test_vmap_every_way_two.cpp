// Every way to map the arguments of an op of two arrays.
#include "exhaustive.hpp"

using namespace mapped;

TEST_CASE("every way: element-wise, broadcast in either direction") {
    const auto f = [](auto a, auto b) { return a * b - b; };
    check_every_way(f, shape<2>{4, 3}, shape<1>{3});
    check_every_way(f, shape<1>{3}, shape<2>{4, 3});
    check_every_way(f, shape<2>{4, 1}, shape<2>{1, 3});
    check_every_way([](auto a, auto b) { return maximum(a, b); }, shape<1>{3}, shape<0>{});
}
TEST_CASE("every way: matmul") {
    const auto f = [](auto a, auto b) { return matmul(a, b); };
    check_every_way(f, shape<2>{2, 4}, shape<2>{4, 3});
    check_every_way(f, shape<2>{2, 4}, shape<1>{4});
    check_every_way(f, shape<1>{4}, shape<1>{4});
}
TEST_CASE("every way: concat, stack") {
    check_every_way([](auto a, auto b) { return concat(ricci::tuple(a, b), 0); }, shape<2>{4, 3}, shape<2>{1, 3});
    check_every_way([](auto a, auto b) { return concat(ricci::tuple(a, b), none); }, shape<1>{4}, shape<1>{2});
    check_every_way([](auto a, auto b) { return stack(ricci::tuple(a, b), -1); }, shape<2>{4, 3}, shape<2>{4, 3});
    check_every_way([](auto a, auto b) { return stack(ricci::tuple(a, b)); }, shape<0>{}, shape<0>{});
}
