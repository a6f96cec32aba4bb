// Derivatives of matmul in both factors, for every combination of ranks and broadcast leading axes.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto product = [](auto a, auto b) { return matmul(a, b); };

}  // namespace

TEST_CASE("derivatives: matmul of matrices and vectors") {
    check_first_order(product, spread({3, 4}, 1), spread({4, 2}, 2));
    check_first_order(product, spread({3, 4}, 1), spread({4}, 2));
    check_first_order(product, spread({4}, 1), spread({4, 2}, 2));
    check_first_order(product, spread({4}, 1), spread({4}, 2));
}
TEST_CASE("derivatives: matmul of stacks") {
    check_first_order(product, spread({2, 3, 4}, 1), spread({2, 4, 2}, 2));
    check_first_order(product, spread({2, 3, 4}, 1), spread({4, 2}, 2));
    check_first_order(product, spread({3, 4}, 1), spread({2, 4, 2}, 2));
    check_first_order(product, spread({2, 1, 2, 3}, 1), spread({3, 3, 2}, 2));
}
TEST_CASE(
    "derivatives: matmul of a factor that all matrices share") {  // its adjoint is one product, however many they are
    check_first_order(product, spread({5, 1, 4}, 1), spread({4, 2}, 2));
    check_first_order(product, spread({2, 2, 3, 4}, 1), spread({1, 1, 4, 2}, 2));
    check_first_order(product, spread({3, 4}, 1), spread({5, 4, 1}, 2));
    check_first_order(product, matrix_transpose(spread({2, 4, 3}, 1)), spread({4, 2}, 2));
    check_reverse_twice([](auto b) { return matmul(spread({3, 1, 2}), sin(b)); }, spread({2, 2}, 1));
    const auto shared = [](auto b) { return sum(square(matmul(zeros<double>({0, 2, 4}), b))); };
    check_close(grad(shared)(spread({4, 3})), zeros<double>({4, 3}));
    // beside each other, the products of a column and a row would take 64 MiB
    const auto rows = broadcast_to(spread({1, 1, 8}), shape<3>{1 << 16, 1, 8});
    reset_peak_statistics();
    const auto before = allocator_statistics().bytes_in_use;
    const auto slopes = grad([&](auto b) { return sum(matmul(rows, b)); })(ones<double>({8, 16}));
    CHECK(allocator_statistics().peak_bytes_in_use - before < (std::size_t(1) << 25));
    check_close(slopes, double(1 << 16) * reshape(spread({8}), {8, 1}) * ones<double>({8, 16}));
}
TEST_CASE("derivatives: matmul of what depends on one array, twice") {
    const auto x = spread({3, 3}, 1);
    auto f = [](auto a) { return matmul(sin(a), permute(a, {1, 0})); };
    check_orders(f, x);
    check_reverse_twice(f, x);
}
TEST_CASE("derivatives: matmul of a vector and stacks, and of one array, twice") {
    check_first_order(product, spread({2, 3, 4}, 1), spread({4}, 2));
    check_first_order(product, spread({4}, 1), spread({2, 3, 4, 2}, 2));
    check_first_order(product, matrix_transpose(spread({4, 3}, 1)), spread({8}, 2)(slice(none, none, 2)));
    const auto x = spread({3, 3}, 1);
    const auto down = [](auto a) { return matmul(sin(a), a(0)); };
    const auto across = [](auto a) { return matmul(a(all, 1), sin(a)); };
    check_orders(down, x);
    check_orders(across, x);
    check_reverse_twice(down, x);
    check_reverse_twice(across, x);
}
TEST_CASE("derivatives: a matrix that a loop multiplies vectors by, from both sides") {
    const auto steps = [](auto w) {
        auto h = lift(spread({4}, 2), w);
        for (int t = 0; t < 5; ++t) h = tanh(matmul(w, h) + matmul(h, w));
        return sum(h * h);
    };
    const auto w = spread({4, 4}, 1);
    CHECK(gradcheck(steps, w));
    const auto turned = [&](auto a) { return steps(matrix_transpose(a)); };
    check_close(grad(turned)(evaluate(matrix_transpose(w))), matrix_transpose(grad(steps)(w)));
}
TEST_CASE("derivatives: matrices and vectors in batches") {
    const auto w = spread({5, 3, 4}, 1);
    const auto x = spread({5, 4}, 2), z = spread({5, 3}, 3);
    const auto down = [](auto a, auto b) { return sum(square(matmul(a, b))); };
    const auto across = [](auto a, auto b) { return sum(square(matmul(b, a))); };
    const auto both = vmap(grad(down, argnums<0, 1>))(w, x);
    const auto others = vmap(grad(across, argnums<0, 1>))(w, z);
    const auto of_one = vmap(grad(down, argnums<1>), in_axes(none, 0))(evaluate(w(0)), x);
    const auto of_many = vmap(grad(across), in_axes(0, none))(w, evaluate(z(0)));
    for (int i = 0; i < 5; ++i) {
        const auto [a, b] = grad(down, argnums<0, 1>)(evaluate(w(i)), evaluate(x(i)));
        check_close(std::get<0>(both)(i), a);
        check_close(std::get<1>(both)(i), b);
        const auto [c, d] = grad(across, argnums<0, 1>)(evaluate(w(i)), evaluate(z(i)));
        check_close(std::get<0>(others)(i), c);
        check_close(std::get<1>(others)(i), d);
        check_close(of_one(i), grad(down, argnums<1>)(evaluate(w(0)), evaluate(x(i))));
        check_close(of_many(i), grad(across)(evaluate(w(i)), evaluate(z(0))));
    }
}
TEST_CASE("derivatives: matmul without elements") {
    const auto [y, pull] = vjp(product, zeros<double>({3, 0}), zeros<double>({0, 2}));
    check_close(y, zeros<double>({3, 2}));
    const auto [a_bar, b_bar] = pull(ones<double>({3, 2}));
    CHECK(a_bar.shape() == shape<2>{3, 0});
    CHECK(b_bar.shape() == shape<2>{0, 2});
}
