// Iterative solvers: dense and sparse matrices and functions, preconditioners, how they end, derivatives, batches.
#include "../reference.hpp"
#include "exhaustive.hpp"

using namespace mapped;
using reference::message;

namespace {

/// -u'' + c u' on n points: tridiagonal; symmetric and positive definite for c = 0.
csr_matrix<double> transport(index_t n, double c) {
    std::vector<std::int64_t> rows, columns;
    std::vector<double> values;
    for (index_t i = 0; i < n; ++i)
        for (index_t j = i - 1; j <= i + 1; ++j) {
            if (j < 0 || j >= n) continue;
            rows.push_back(i);
            columns.push_back(j);
            values.push_back(i == j ? 2.5 : j > i ? -1 + c : -1 - c);
        }
    return coo_matrix<double>{from_span(std::span(rows)).clone(),
                              from_span(std::span(columns)).clone(),
                              from_span(std::span(values)).clone(),
                              {n, n}}
        .to_csr();
}
constexpr solver_options exact{.rtol = 1e-13};

}  // namespace

TEST_CASE("iterative: solutions of sparse, dense and functional equations") {
    const auto a = transport(50, 0), c = transport(50, 0.3);
    const auto b = spread({50});
    const auto check = [&](const auto& result, const auto& m) {
        CHECK(result.info.converged);
        CHECK(result.info.iterations > 5);
        CHECK(result.info.residual < 1e-11);
        check_close(matmul(m, result.x), b, 1e-11);
    };
    check(cg(a, b, exact), a);
    check(bicgstab(c, b, exact), c);
    check(gmres(c, b, {.rtol = 1e-13, .restart = 10}), c);
    check(gmres(c, b, {.rtol = 1e-13, .restart = 1000}), c);
    check(cg(a.to_dense(), b, exact), a);
    check(bicgstab([&](const auto& x) { return matmul(c, x); }, b, exact), c);
    // of a matrix, as of any array, whose elements are the unknowns
    const auto halves = [](const auto& x) { return 2 * x; };
    const auto [x, info] = cg(halves, ones<double>({3, 2}));
    check_close(x, 0.5 * ones<double>({3, 2}));
    CHECK(info.iterations == 1);
}

TEST_CASE("iterative: complex equations") {
    const auto h = evaluate(ricci::complex(spread({6, 6}), spread({6, 6}, 5)));
    const auto m = evaluate(matmul(conj(matrix_transpose(h)), h) + 0.5 * eye<double>(6));  // Hermitian
    const auto b = evaluate(ricci::complex(spread({6}), spread({6}, 9)));
    check_close(matmul(m, cg(m, b, exact).x), b, 1e-10);
    check_close(matmul(h, gmres(h, b, exact).x), b, 1e-10);
    check_close(matmul(m, bicgstab(m, b, {.rtol = 1e-10}).x), b, 1e-8);
}

TEST_CASE("iterative: preconditioners, limits, breakdowns") {
    auto a = transport(40, 0).to_dense();
    for (index_t i = 0; i < 40; ++i) a.at(i, i) += static_cast<double>(i * i);
    const auto b = spread({40});
    const auto diagonal_of = evaluate(diagonal(a));
    const auto jacobi = [diagonal_of](const auto& r) { return r / diagonal_of; };
    const auto slow = cg(a, b, exact), fast = cg(a, b, exact, jacobi);
    CHECK(fast.info.iterations < slow.info.iterations / 2);
    check_close(fast.x, slow.x, 1e-10);
    check_close(gmres(a, b, exact, jacobi).x, slow.x, 1e-10);
    check_close(bicgstab(a, b, exact, jacobi).x, slow.x, 1e-10);
    const auto stopped = cg(a, b, {.max_iterations = 3});
    CHECK(!stopped.info.converged);
    CHECK(stopped.info.iterations == 3);
    CHECK(stopped.info.residual > 1e-5 * std::sqrt(sum(b * b).item()));
    // a right side of zeros needs no step; a singular matrix comes to an end
    CHECK(cg(a, zeros<double>({40})).info.iterations == 0);
    CHECK(cg(a, zeros<double>({40})).info.converged);
    const auto nothing = zeros<double>({3, 3});
    CHECK(!cg(nothing, ones<double>({3})).info.converged);
    CHECK(!bicgstab(nothing, ones<double>({3})).info.converged);
    CHECK(!gmres(nothing, ones<double>({3})).info.converged);
    CHECK(gmres(ones<double>({3, 3}), tensor<double, 1>{1, 2, 3}).info.residual < 1.5);  // not above |(1, 2, 3) - 2|
    // exchanges: BiCGSTAB breaks down, GMRES needs all its steps
    const tensor<double, 2> cycle{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    CHECK(!bicgstab(cycle, tensor<double, 1>{1, 0, 0}).info.converged);
    check_close(gmres(cycle, tensor<double, 1>{1, 2, 3}).x, tensor<double, 1>{3, 1, 2});
    CHECK(cg(zeros<double>({0, 0}), zeros<double>({0})).x.size() == 0);
    CHECK(message<shape_error>([&] { cg(a, ones<double>({3})); }) ==
          "[cg] a matrix of shape (40, 40) does not fit a right side of shape (3,): it must be square, and as large");
    CHECK(message<shape_error>([&] { cg([](const auto& x) { return x(slice(0, 2)); }, ones<double>({3})); }) ==
          "[iterative solver] the operator gives shape (2,) for one of (3,)");
}

TEST_CASE("iterative: right sides whose squares overflow or vanish") {
    const tensor<float, 2> a{{2, 1}, {1, 3}};
    const tensor<float, 1> b{1, 2};
    const auto preconditioner = [](const auto& r) { return r / 2; };
    const auto check = [&](const auto& solve) {
        const auto plain = solve(b, solver_options{});
        for (const float size : {0x1p-130F, 0x1p-90F, 0x1p+90F, 0x1p+120F}) {  // powers of two: not a bit is another
            const auto scaled = solve(evaluate(b * size), solver_options{});
            CHECK(scaled.info.converged);
            CHECK(scaled.info.iterations == plain.info.iterations);
            CHECK(array_equal(scaled.x, evaluate(plain.x * size)));
            const auto started = solve(evaluate(b * size), solver_options{}.starting_from(plain.x * size));
            CHECK((started.info.converged && started.info.iterations == 0));
        }
    };
    check([&](const auto& right, const auto& o) { return cg(a, right, o); });
    check([&](const auto& right, const auto& o) { return bicgstab(a, right, o, preconditioner); });
    check(
        [&](const auto& right, const auto& o) { return gmres([&](const auto& x) { return matmul(a, x); }, right, o); });
    CHECK(!cg(a, tensor<float, 1>{1, std::numeric_limits<float>::quiet_NaN()}).info.converged);
    CHECK(!cg(a, tensor<float, 1>{1, std::numeric_limits<float>::infinity()}).info.converged);
}
TEST_CASE("iterative: matrices whose products have squares that overflow or vanish") {
    const auto c = transport(10, 0.3);
    const auto b = spread({10});
    for (const double size : {0x1p-660, 0x1p+660}) {
        const auto scaled = c.with_values(c.values * size);
        for (const auto& result : {gmres(scaled, b, exact), bicgstab(scaled, b, exact)}) {
            CHECK(result.info.converged);
            check_close(matmul(c, result.x * size), b, 1e-11);
        }
    }
}

TEST_CASE("iterative: a start other than 0") {
    const auto c = transport(20, 0.3);
    const auto a = c.to_dense();
    const auto symmetric = evaluate(a + matrix_transpose(a));
    const auto right = spread({20});
    const auto check = [&](const auto& solver, const auto& matrix) {
        const auto x = solver(matrix, right, exact).x;
        const auto again = solver(matrix, right, solver_options{.rtol = 1e-6}.starting_from(x));
        CHECK(again.info.iterations == 0);
        CHECK(again.info.converged);
        check_close(again.x, x, 1e-15);
        const auto near = solver(matrix, right, exact.starting_from(x + 1e-3 * spread({20}, 4)));
        CHECK(near.info.converged);
        CHECK(near.info.iterations > 0);
        check_close(near.x, x, 1e-9);
    };
    check([](const auto&... x) { return cg(x...); }, symmetric);
    check([](const auto&... x) { return bicgstab(x...); }, a);
    check([](const auto&... x) { return gmres(x...); }, c);
    // of a function, in the right side's shape
    const auto twice = [](const auto& x) { return 2 * x; };
    const auto far = evaluate(spread({4, 5}, 3)), wanted = evaluate(spread({4, 5}));
    check_close(cg(twice, wanted, exact.starting_from(far)).x, evaluate(wanted / 2), 1e-12);
    CHECK(message<shape_error>([&] { cg(a, right, exact.starting_from(ones<double>({3}))); }) ==
          "[iterative solver] the start (3,) has 3 elements, the right side 20");
    const auto small = transport(5, 0.3);
    const auto f = [small, start = spread({5}, 2)](auto v, auto b) {
        return gmres(small.with_values(v), b, exact.starting_from(start)).x;
    };
    CHECK(gradcheck(f, std::tuple(small.values, spread({5}))));
}

TEST_CASE("iterative: the transposed equations use the transposed preconditioner") {
    const auto a = transport(30, 0.4).to_dense();
    const auto inverse = linalg::inv(evaluate(a + 0.05 * eye<double>(30)));
    const auto b = spread({30}), w = spread({30}, 5);
    int plain = 0, transposed = 0;
    const transposable_preconditioner p{
        [&plain, inverse](const auto& r) { return ++plain, matmul(inverse, r); },
        [&transposed, inverse](const auto& r) { return ++transposed, matmul(matrix_transpose(inverse), r); }};
    const auto check = [&](const auto& solver) {
        const auto expected = grad([&](auto v) { return sum(w * solver(a, v, exact).x); })(b);
        transposed = 0;
        check_close(grad([&](auto v) { return sum(w * solver(a, v, exact, p).x); })(b), expected, 1e-9);
        CHECK(transposed > 0);
        CHECK(transposed < 20);  // 30 and more without it
    };
    check([](const auto&... x) { return bicgstab(x...); });
    check([](const auto&... x) { return gmres(x...); });
    CHECK(plain > 0);
    const auto of_function = [a, b](auto s, const auto& with) {
        return gmres([a](auto x, auto t) { return matmul(a, x) + t * x; }, b, exact, with, s).x;
    };
    plain = transposed = 0;
    check_close(std::get<1>(jvp([&](auto s) { return of_function(s, p); }, 0.1, 1.0)),
                std::get<1>(jvp([&](auto s) { return of_function(s, no_preconditioner()); }, 0.1, 1.0)), 1e-9);
    CHECK(transposed == 0);  // tangents solve the equations themselves
    CHECK(plain < 40);
    plain = 0;
    CHECK(
        grad([&](auto s) { return sum(w * of_function(s, p)); })(0.1) ==
        doctest::Approx(grad([&](auto s) { return sum(w * of_function(s, no_preconditioner())); })(0.1)).epsilon(1e-9));
    CHECK(transposed > 0);
    CHECK(transposed < 20);
}

TEST_CASE("iterative: preconditioners of functions take arrays of the right side's shape") {
    const tensor<double, 2> d{{1, 2, 3}, {4, 5, 6}}, b = ones<double>({2, 3});
    const auto apply = [d](const auto& x) { return evaluate(d * x); };
    const auto exact = [d](const auto& r) { return evaluate(r / d); };
    const auto [x, info] = cg(apply, b, {}, exact);
    CHECK(info.iterations == 1);
    CHECK(allclose(x, 1 / d, 1e-12));
    CHECK(bicgstab(apply, b, {}, exact).info.iterations == 1);
    CHECK(gmres(apply, b, solver_options{}.starting_from(2 * b), exact).info.converged);
    const auto slope = grad([&](const auto& v) { return sum(cg(apply, v, {.rtol = 1e-12}, exact).x); })(b);
    CHECK(allclose(slope, 1 / d, 1e-10));
    CHECK_THROWS_AS(cg(apply, b, {}, [](const auto& r) { return evaluate(r(slice(0, 1))); }), shape_error);
}
TEST_CASE("iterative: derivatives in the matrix and the right side") {
    const auto c = transport(5, 0.3);
    const std::tuple sparse(c.values, spread({5}));
    const auto f = [c](auto v, auto b) { return gmres(c.with_values(v), b, exact).x; };
    CHECK(gradcheck(f, sparse));
    CHECK(gradgradcheck(f, sparse));
    CHECK(gradcheck([](auto m, auto b) { return bicgstab(m, b, exact).x; }, std::tuple(c.to_dense(), spread({5}))));
    const auto s = transport(5, 0).to_dense();
    CHECK(gradcheck([s](auto b) { return cg(s, b, exact).x; }, std::tuple(spread({5}))));
    // by a parameter of a function: (2 + p) x = b
    const auto g = [](auto p) {
        const auto op = [](const auto& x, const auto& q) { return (2 + q) * x; };
        return sum(cg(op, ones<double>({3}), exact, no_preconditioner{}, p).x);
    };
    CHECK(grad(g)(1.0).item() == doctest::Approx(-3.0 / 9));
}

TEST_CASE("iterative: every way to map the matrix and the right side") {
    const auto c = transport(4, 0.3);
    const auto f = [c](auto v, auto b) { return gmres(c.with_values(c.values + 0.1 * v), b, exact).x; };
    check_every_way(f, shape<1>{c.nnz()}, shape<1>{4});
}

TEST_CASE("iterative: right sides that are no numbers, or 0") {
    const tensor<double, 2> a{{2, 1}, {1, 3}};
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    const auto check = [&](const auto& solve) {
        for (const double bad : {nan, infinity}) {
            for (const auto& b : {tensor<double, 1>{bad, 1}, tensor<double, 1>{1, bad}}) {
                const auto [x, info] = solve(a, b, solver_options{});
                CHECK(all(isnan(x)).item());
                CHECK(!info.converged);
                CHECK(info.iterations == 0);
            }
            const tensor<double, 2> spoilt{{2, bad}, {1, 3}};
            const auto [x, info] = solve(spoilt, tensor<double, 1>{1, 2}, solver_options{});
            CHECK(all(isnan(x)).item());
            CHECK(!info.converged);
            const auto started =
                solve(a, tensor<double, 1>{1, 2}, solver_options{}.starting_from(tensor<double, 1>{bad, 1}));
            CHECK(all(isnan(started.x)).item());
            CHECK(!started.info.converged);
        }
        const auto total = [&](const auto& b) { return sum(solve(a, b, solver_options{}).x); };
        CHECK(all(isnan(grad([&](const auto& b) { return total(b) * nan; })(tensor<double, 1>{1, 2}))).item());
        CHECK(isnan(std::get<1>(jvp(total, tensor<double, 1>{1, 2}, tensor<double, 1>{nan, 1}))).item());
        // one by one in a batch
        const auto many = vmap([&](const auto& b) { return solve(a, b, solver_options{}).x; })(
            tensor<double, 2>{{nan, 1}, {3, 4}, {0, 0}});
        CHECK(all(isnan(many(0))).item());
        check_close(matmul(a, many(1)), tensor<double, 1>{3, 4}, 1e-4);
        CHECK(array_equal(many(2), zeros<double>({2})));
        // the solution is 0 wherever the method would start
        const auto from = solver_options{}.starting_from(tensor<double, 1>{1, 2});
        const auto [x, info] = solve(a, zeros<double>({2}), from);
        CHECK(array_equal(x, zeros<double>({2})));
        CHECK((info.converged && info.iterations == 0 && info.residual == 0));
        CHECK_THROWS_AS(solve(a, zeros<double>({2}), solver_options{}.starting_from(ones<double>({3}))), shape_error);
    };
    check([](const auto& m, const auto& b, const auto& o) { return cg(m, b, o); });
    check([](const auto& m, const auto& b, const auto& o) { return bicgstab(m, b, o); });
    check([](const auto& m, const auto& b, const auto& o) { return gmres(m, b, o); });
}

TEST_CASE("iterative: integers are doubles, 16 bits floats") {
    const auto twice = [](const auto& x) { return 2.0 * x; };
    const auto halves = cg(twice, tensor<int, 1>{1, 2, 3}, exact.starting_from(tensor<int, 1>{1, 0, 0})).x;
    static_assert(std::is_same_v<decltype(halves)::value_type, double>);
    check_close(halves, tensor<double, 1>{0.5, 1, 1.5}, 1e-12);
    check_close(gmres(tensor<int, 2>{{2, 1}, {1, 3}}, tensor<int, 1>{3, 4}, exact).x, tensor<double, 1>{1, 1}, 1e-12);
    const tensor<float16, 1> large{300, 400};  // whose square float16 cannot hold
    const auto single = cg(evaluate(eye<double>(2).astype<float16>()), large).x;
    static_assert(std::is_same_v<decltype(single)::value_type, float>);
    check_close(single, tensor<float, 1>{300, 400}, 1e-6);
    check_close(bicgstab(twice, large).x, tensor<float, 1>{150, 200}, 1e-6);
    check_close(grad([&](const auto& b) { return sum(cg(twice, b).x); })(large), tensor<float, 1>{0.5, 0.5}, 1e-6);
    // a start of integers is scaled with the right side
    const auto far = tensor<double, 1>{1e-200, 2e-200};
    CHECK(cg(twice, far, exact.starting_from(zeros<int>({2}))).info.converged);
}
TEST_CASE("iterative: to the last bit, where squares of the residual vanish") {
    const auto a = transport(6, 0) * 1e6;  // whose products vanish last
    const auto b = spread({6});
    const solver_options endless{.rtol = 0, .max_iterations = 400};
    const auto preconditioner = [](const auto& r) { return r / 2; };
    const auto check = [&](const auto& result) { check_close(matmul(a, result.x), b, 1e-13); };
    check(cg(a, b, endless));
    check(cg(a, b, endless, preconditioner));
    check(cg(a.to_dense(), b, endless.starting_from(linalg::solve(a.to_dense(), b))));
    check(bicgstab(a, b, endless));
    check(gmres(a, b, endless));
}
