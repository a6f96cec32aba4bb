// vmap of indexing, permute, reshape and expand: the axes that the function names are those of a member.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto cube = spread({2, 3, 4}, 2);
const auto other = spread({2, 3}, 5);

}  // namespace

TEST_CASE("vmap: indexing") {
    check_vmap([](auto x) { return x(1, -2); }, cube);
    check_vmap([](auto x) { return x(slice(none, none, -1), slice(0, none, 2)); }, cube);
    check_vmap([](auto x) { return x(ellipsis, 0); }, cube);
    check_vmap([](auto x) { return x(all, newaxis, slice(1, 3)); }, in_axes(1), 1, cube);
    check_vmap([](auto x) { return x(slice(0, 2)) * x(slice(1, 3)); }, cube);
    check_vmap([](auto x) { return x(newaxis) - x(all, newaxis); }, other);
}
TEST_CASE("vmap: permute, matrix_transpose") {
    check_vmap([](auto x) { return permute(x, {1, 0}); }, cube);
    check_vmap([](auto x) { return permute(x, {-1, 0}); }, in_axes(2), -1, cube);
    check_vmap([](auto x) { return matrix_transpose(x); }, in_axes(1), 0, cube);
}
TEST_CASE("vmap: reshape") {
    check_vmap([](auto x) { return reshape(x, {2, -1}); }, cube);
    check_vmap([](auto x) { return reshape(x, {12}); }, cube);
    check_vmap([](auto x) { return reshape(permute(x, {1, 0}), {6, 2}); }, cube);
    check_vmap([](auto x) { return reshape(x, {1, 3, 1}); }, other);
    check_vmap([](auto x) { return reshape(x, {2, 4}); }, in_axes(1), 2, cube);
}
TEST_CASE("vmap: expand") {
    check_vmap([](auto x) { return expand(x, {2, 3}); }, other);
    check_vmap([](auto x) { return expand(x(all, newaxis), {3, 5}); }, in_axes(0), 1, other);
    check_vmap([](auto x) { return expand(x(0), {2, 2}); }, other);
}
TEST_CASE("vmap: members broadcast against each other as they would alone") {
    check_vmap([](auto a, auto b) { return a + b; }, in_axes(0, 0), 0, cube, spread({2, 4}));
    check_vmap([](auto a, auto b) { return a * b; }, in_axes(none, 0), 0, spread({3, 1}), spread({2, 4}));
    check_vmap([](auto a, auto b) { return a - b(all, newaxis) * a; }, in_axes(0, 0), 1, cube, other);
}
TEST_CASE("vmap: the mapped axis of a strided view") {
    check_vmap([](auto x) { return x * 2 + x(0); }, cube(all, 1, slice(none, none, -2)));
    check_vmap([](auto x) { return sum(x); }, permute(cube, {2, 0, 1}));
    check_vmap([](auto x) { return x * x; }, expand(other(0), {4, 3}));
}
