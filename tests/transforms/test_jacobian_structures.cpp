// jacfwd, jacrev and hessian of functions whose arguments, or arguments and results, are structures of arrays.
#include "derivatives.hpp"
#include "layer.hpp"

using namespace derivative_checks;

namespace {

const layer l0{spread({2, 3}), spread({2}, 5)};
const auto x0 = spread({3}, 8);
const auto apply = [](const auto& l, const auto& x) { return matmul(l.weight, x) + l.bias; };

/// d(W x + b)_i / dW_jk = delta_ij x_k.
tensor<double, 3> by_weight() {
    const auto j = zeros<double>({2, 2, 3});
    for (index_t i = 0; i < 2; ++i) j(i, i) = x0;
    return j;
}

}  // namespace

TEST_CASE("jacfwd, jacrev: a struct of Jacobians, one for each array in the argument") {
    auto check = [](const auto& j) {
        check_close(j.weight, by_weight());
        check_close(j.bias, eye<double>(2));
    };
    check(jacfwd(apply)(l0, x0));
    check(jacrev(apply)(l0, x0));
    check(jacrev(apply, {.chunk_size = 1})(l0, x0));
    const auto [of_layer, of_x] = jacrev(apply, argnums<0, 1>)(l0, x0);
    check(of_layer);
    check_close(of_x, l0.weight);
}

TEST_CASE("jacfwd, jacrev: members that share a type, of structs and arrays") {
    const alike<tensor<double, 2>> p{spread({3, 2}), spread({2, 2}, 4)};
    const auto f = [](const auto& m, const auto& x) { return matmul(matmul(x, m.first), m.second); };
    auto check = [&](const auto& j) {
        check_close(j.first, einsum<"j,ki->ijk">(x0, p.second));
        check_close(j.second, einsum<"j,ik->ijk">(evaluate(matmul(x0, p.first)), eye<double>(2)));
    };
    check(jacrev(f)(p, x0));
    const auto batch = vmap(jacrev(f), in_axes(none, 0))(p, stack({x0, x0}));
    check_close(batch.second(1), einsum<"j,ik->ijk">(evaluate(matmul(x0, p.first)), eye<double>(2)));
    const auto g = [](const auto& pair, const auto& x) { return matmul(matmul(x, pair[0]), pair[1]); };
    check_close(jacfwd(g)(std::array{p.first, p.second}, x0)[0], einsum<"j,ki->ijk">(x0, p.second));
    const auto pair_of = [](const auto& x) { return std::array{x(0) * x(1), x(1) * x(2)}; };
    for (const auto& j : {jacfwd(pair_of)(x0), jacrev(pair_of)(x0)}) {
        check_close(j[0], tensor{x0.at(1), x0.at(0), 0.0});
        check_close(j[1], tensor{0.0, x0.at(2), x0.at(1)});
    }
    const auto lists = jacrev([](const auto& x) {
        return std::array{std::vector{evaluate(x(0) * x(1))}, std::vector{evaluate(x(2)), evaluate(x(0))}};
    })(x0);
    check_close(lists[0][0], tensor{x0.at(1), x0.at(0), 0.0});
    check_close(lists[1][1], tensor{1.0, 0.0, 0.0});
    const auto nested = jacrev([&](const auto& x) { return std::make_tuple(pair_of(x), exp(x)); })(x0);
    check_close(std::get<0>(nested)[1], tensor{0.0, x0.at(2), x0.at(1)});
    check_close(std::get<1>(nested), diag(exp(x0)));
}

TEST_CASE("jacfwd, jacrev: the result's structure is outside, the argument's inside") {
    const auto two = [](const auto& pair) {
        const auto& [a, b] = pair;
        return ricci::tuple(a * b, sum(a));
    };
    const auto a = spread({3}, 2), b = spread({3}, 7);
    auto check = [&](const auto& j) {
        const auto& [product, total] = j;
        check_close(std::get<0>(product), eye<double>(3) * b);
        check_close(std::get<1>(product), eye<double>(3) * a);
        check_close(std::get<0>(total), ones<double>({3}));
        check_close(std::get<1>(total), zeros<double>({3}));
    };
    check(jacfwd(two)(std::tuple(a, b)));
    check(jacrev(two)(std::tuple(a, b)));
    const auto apart = [](const auto& u, const auto& v) { return ricci::tuple(u * v, sum(u)); };
    check(jacfwd(apart, argnums<0, 1>)(a, b));
    check(jacrev(apart, argnums<0, 1>)(a, b));
}

TEST_CASE("hessian: the blocks of all pairs of arrays in a structure") {
    const auto f = [](const auto& pair) {
        const auto& [a, b] = pair;
        return sum(a * a * b);
    };
    const auto a = spread({3}, 2), b = spread({3}, 7);
    const auto h = hessian(f)(std::tuple(a, b));
    check_close(std::get<0>(std::get<0>(h)), 2 * eye<double>(3) * b);
    check_close(std::get<1>(std::get<0>(h)), 2 * eye<double>(3) * a);
    check_close(std::get<0>(std::get<1>(h)), 2 * eye<double>(3) * a);
    check_close(std::get<1>(std::get<1>(h)), zeros<double>({3, 3}));
}
