// Einsums of two matrices under transforms, where they are products as matmul has them, in every orientation.
#include "derivatives.hpp"
#include "exhaustive.hpp"

using namespace derivative_checks;
using mapped::check_every_way;

namespace {

template <fixed_string Text>
inline constexpr auto einsum_of = [](auto a, auto b) { return einsum<Text>(a, b); };

/// Of a product and of one whose factors are the same: first derivatives, then second ones in both modes.
template <fixed_string Text, class A, class B>
void check_text(const A& a, const B& b) {
    check_first_order(einsum_of<Text>, a, b);
    const auto twice = [b](auto x) { return einsum<Text>(sin(x), b) * einsum<Text>(x, b); };
    check_orders(twice, a);
    check_reverse_twice(twice, a);
}

}  // namespace

TEST_CASE("einsum of matrices: derivatives in every orientation") {
    const auto a = spread({2, 3}, 1), turned_a = spread({3, 2}, 1), b = spread({3, 4}, 2), turned_b = spread({4, 3}, 2);
    check_text<"ij,jk->ik">(a, b);
    check_text<"ij,kj->ki">(a, turned_b);
    check_text<"ji,jk->ki">(turned_a, b);
    check_text<"ji,kj->ik">(turned_a, turned_b);
    CHECK(gradcheck(einsum_of<"ij,kj->ik">, std::tuple(a, turned_b)));
    CHECK(gradcheck(einsum_of<"ij,jk->ki">, std::tuple(a, b)));
    CHECK(gradcheck(einsum_of<"ji,jk->ik">, std::tuple(turned_a, b)));
    CHECK(gradcheck(einsum_of<"ji,kj->ki">, std::tuple(turned_a, turned_b)));
}
TEST_CASE("einsum of matrices: derivatives of batches, and where extents are 1") {
    CHECK(gradcheck(einsum_of<"bij,bjk->bik">, std::tuple(spread({2, 2, 3}, 1), spread({2, 3, 2}, 2))));
    CHECK(gradcheck(einsum_of<"bij,bkj->bki">, std::tuple(spread({1, 2, 3}, 1), spread({2, 2, 3}, 2))));
    CHECK(gradcheck(einsum_of<"bij,bjk->bik">, std::tuple(spread({2, 2, 1}, 1), spread({2, 3, 2}, 2))));
    CHECK(gradcheck(einsum_of<"...ji,...jk->...ik">, std::tuple(spread({2, 3, 2}, 1), spread({1, 1, 2}, 2))));
    const auto x = spread({2, 1}, 1), y = spread({3, 4}, 2);
    const auto f = [y](auto v) { return sum(square(einsum<"ij,jk->ik">(v, y))); };
    check_close(grad(f)(x), 2.0 * x * sum(square(sum(y, 0))));
}
TEST_CASE("einsum of matrices: derivatives where several axes are rows, columns or summed") {
    check_text<"ijk,kl->ijl">(spread({2, 2, 3}, 1), spread({3, 4}, 2));
    CHECK(gradcheck(einsum_of<"bkij,bkl->bijl">, std::tuple(spread({2, 3, 2, 2}, 1), spread({2, 3, 2}, 2))));
    CHECK(gradcheck(einsum_of<"ijk,lmjk->lmi">, std::tuple(spread({2, 2, 3}, 1), spread({2, 2, 2, 3}, 2))));
    CHECK(gradcheck(einsum_of<"jki,jkl->il">, std::tuple(spread({2, 3, 2}, 1), spread({1, 3, 2}, 2))));
    CHECK(gradcheck(einsum_of<"ijk,kjl->il">, std::tuple(spread({2, 2, 3}, 1), spread({3, 2, 2}, 2))));
}
TEST_CASE("einsum of matrices: every argument mapped") {
    check_every_way(einsum_of<"ij,kj->ki">, shape<2>{2, 3}, shape<2>{4, 3});
    check_every_way(einsum_of<"bji,bjk->bik">, shape<3>{2, 3, 2}, shape<3>{2, 3, 2});
    check_every_way(einsum_of<"ijk,lk->lij">, shape<3>{2, 2, 3}, shape<2>{4, 3});
}
TEST_CASE("einsum of matrices: adjoints lie as what they belong to, extents that do not agree") {
    const auto a = spread({2, 3}, 1), b = spread({4, 3}, 2);
    const auto [a_bar, b_bar] =
        grad([](auto p, auto q) { return sum(square(einsum<"ij,kj->ki">(p, q))); }, argnums<0, 1>)(a, b);
    CHECK(a_bar.is_contiguous());
    CHECK(b_bar.is_contiguous());
    check_close(b_bar, 2.0 * matmul(matmul(b, matrix_transpose(a)), a));
    const auto f = [b](auto p) { return sum(einsum<"ij,jk->ik">(p, b)); };
    CHECK_THROWS_WITH_AS(
        grad(f)(a), "[einsum] subscript j of \"ij,jk->ik\" is 3 in an operand of shape (2, 3) and 4 in one of (4, 3)",
        shape_error);
}
