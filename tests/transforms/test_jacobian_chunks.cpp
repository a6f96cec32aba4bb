// jacfwd, jacrev and hessian in chunks, of several results, and of functions that draw random numbers.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto x0 = spread({2, 3});
const auto f = [](auto x) { return sin(x) * sum(x * x, 1)(all, newaxis); };

}  // namespace

TEST_CASE("Jacobians in chunks are those at once") {
    const auto expected = jacfwd(f)(x0);
    const auto scalar = [](auto x) { return sum(f(x) * x); };
    const auto curvature = hessian(scalar)(x0);
    for (index_t n : {1, 4, 6, 7}) {
        CAPTURE(n);
        check_close(jacfwd(f, {.chunk_size = n})(x0), expected);
        check_close(jacrev(f, {.chunk_size = n})(x0), expected);
        check_close(hessian(scalar, {.chunk_size = n})(x0), curvature);
    }
    const auto two = [](auto a, auto b) { return a * sum(b); };
    const auto [da, db] = jacrev(two, argnums<0, 1>, {.chunk_size = 4})(x0, x0);
    const auto [ea, eb] = jacfwd(two, argnums<0, 1>)(x0, x0);
    check_close(da, ea);
    check_close(db, eb);
}
TEST_CASE("Jacobians in chunks under grad") {
    const auto whole = [](auto x) { return sum(square(jacfwd(f)(x))); };
    const auto parts = [](auto x) { return sum(square(jacfwd(f, {.chunk_size = 4})(x))); };
    check_close(grad(parts)(x0), grad(whole)(x0));
}
TEST_CASE("Jacobians of several results are structures of Jacobians") {
    const auto g = [](auto x) { return ricci::tuple(f(x), sum(x * x)); };
    const auto [forward, forward_sum] = jacfwd(g, {.chunk_size = 4})(x0);
    const auto [reverse, reverse_sum] = jacrev(g, {.chunk_size = 4})(x0);
    check_close(forward, jacfwd(f)(x0));
    check_close(reverse, forward);
    check_close(forward_sum, 2 * x0);
    check_close(reverse_sum, 2 * x0);
}
TEST_CASE("Jacobians of noisy functions: every chunk differentiates the same function, whatever randomness says") {
    const auto r = rand<double>({2, 3}, generator(3));
    generator g(3);
    const auto noisy = [&](auto x) { return x * x * rand<double>({2, 3}, g); };
    const auto expected = jacfwd([&](auto x) { return x * x * r; })(x0);
    for (index_t n : {1, 4, 6}) {
        CAPTURE(n);
        for (const randomness option : {randomness::error, randomness::same, randomness::different}) {
            g = generator(3);
            check_close(jacfwd(noisy, {.chunk_size = n, .randomness = option})(x0), expected);
        }
    }
    g = generator(3);
    check_close(jacfwd(noisy)(x0), expected);
    g = generator(3);
    check_close(hessian([&](auto x) { return sum(noisy(x)); })(x0),
                hessian([&](auto x) { return sum(x * x * r); })(x0));
}
