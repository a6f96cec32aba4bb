// Transposes, traces, norms, means, extrema, joins and texts of sparse matrices: against dense ones.
#include <iomanip>
#include <sstream>

#include "../reference.hpp"
#include "scattered.hpp"

using namespace mapped;
using reference::message;
using scattered_entries::scattered;

TEST_CASE("sparse functions: what the dense matrix has") {
    for (const index_t every : {1, 2, 3, 40}) {
        const auto a = scattered(5, 6, 1, every);
        const auto x = a.to_dense();
        check_close(transpose(a).to_dense(), matrix_transpose(x));
        check_close(matrix_transpose(a).to_dense(), matrix_transpose(x));
        CHECK(double(trace(a)) == doctest::Approx(double(sum(diagonal(x)))));
        CHECK(double(trace(a, 1)) == doctest::Approx(double(sum(diagonal(x, 1)))));
        CHECK(double(linalg::trace(a, -2)) == doctest::Approx(double(linalg::trace(x, -2))));
        check_close(abs(a).to_dense(), abs(x));
        CHECK(double(norm(a)) == doctest::Approx(double(norm(x))));
        CHECK(double(linalg::norm(a)) == doctest::Approx(double(linalg::norm(x))));
        CHECK(double(max(a)) == double(max(x)));
        CHECK(double(min(a)) == double(min(x)));
        CHECK(double(max(a - abs(a) * 2.0)) == double(max(x - abs(x) * 2.0)));
        CHECK(double(mean(a)) == doctest::Approx(double(mean(x))));
        check_close(mean(a, 0), mean(x, 0));
        check_close(mean(a, -1), mean(x, -1));
    }
    const auto k = astype<int>(scattered(5, 6, 1, 2) * 10.0);
    static_assert(std::is_same_v<decltype(k.values)::value_type, int>);
    CHECK(double(mean(k)) == doctest::Approx(double(mean(k.to_dense()))));
    CHECK(int(max(k)) == int(max(k.to_dense())));
    const csr_matrix<double> full(ones<double>({2, 3}) * -1.0);
    CHECK(double(max(full)) == -1);
    CHECK(message<value_error>([] {
              max(csr_matrix<double>{zeros<std::int64_t>({1}), zeros<std::int64_t>({0}), zeros<double>({0}), {0, 3}});
          }) == "[max] a sparse matrix of shape (0, 3) has no elements");
    const tensor<std::complex<double>, 2> z{{{1, 2}, 0.0}, {{0, -1}, {3, 0}}};
    check_close(real(conj(csr_matrix(z)).to_dense()), real(conj(z)));
    check_close(imag(conj(csr_matrix(z)).to_dense()), imag(conj(z)));
    check_close(abs(csr_matrix(z)).to_dense(), abs(z));
}
TEST_CASE("sparse functions: entries at one place count as their sum") {
    const tensor<std::int64_t, 1> offsets{0, 3, 3}, columns{0, 0, 1};
    const csr_matrix<double> a{offsets, columns, tensor<double, 1>{3, -5, 1}, {2, 2}};
    CHECK(double(norm(a)) == doctest::Approx(std::sqrt(5.0)));
    check_close(abs(a).to_dense(), tensor<double, 2>{{2, 1}, {0, 0}});
    CHECK(double(max(a)) == 1);
    CHECK(double(min(a)) == -2);
}
TEST_CASE("sparse functions: derivatives in the values") {
    const auto a = scattered(4, 5, 1, 2);
    const auto at = tensor<double, 1>(a.values + 0.5);
    const auto f = [&](auto v) {
        const auto b = a.with_values(v);
        return norm(b) * max(b) + trace(b, 1) * sum(abs(transpose(b)).values) + sum(square(mean(b, 0)));
    };
    CHECK(gradcheck(f, at));
    const auto g = [&](auto v) {
        const auto b = a.with_values(v);
        const auto side = hstack(std::make_tuple(b, b * 2.0)), tower = vstack(std::make_tuple(b, b * b.values(0)));
        return sum(square(matmul(side, mapped::spread({10})))) + sum(square(sum(tower, 0))) +
               sum(square(sum(block_diag(b, transpose(b)), 1)));
    };
    CHECK(gradcheck(g, at));
    CHECK(gradgradcheck(g, at));
    const auto batch = evaluate(stack(std::make_tuple(at, at * 2.0)));
    const auto mapped_norms = vmap([&](auto v) { return norm(a.with_values(v)); })(batch);
    CHECK(mapped_norms.at(1) == doctest::Approx(2 * mapped_norms.at(0)));
}
TEST_CASE("sparse functions: changes in place") {
    auto a = scattered(4, 5, 1, 2);
    const auto b = scattered(4, 5, 2, 3);
    const auto x = a.to_dense(), y = b.to_dense();
    a *= 2;
    check_close(a.to_dense(), 2.0 * x);
    a /= 4.0;
    check_close(a.to_dense(), x / 2.0);
    a += b;
    check_close(a.to_dense(), x / 2.0 + y);
    a -= b;
    check_close(a.to_dense(), x / 2.0);
}
TEST_CASE("sparse joins: what dense ones give") {
    for (const index_t every : {1, 2, 7}) {
        const auto a = scattered(4, 5, 1, every), b = scattered(3, 5, 2, 2), c = scattered(4, 2, 0, 2);
        check_close(vstack({a, b}).to_dense(), vstack({a.to_dense(), b.to_dense()}));
        check_close(concat({a, b, a}, 0).to_dense(), concat({a.to_dense(), b.to_dense(), a.to_dense()}, 0));
        check_close(hstack(std::vector{a, c, a}).to_dense(), hstack({a.to_dense(), c.to_dense(), a.to_dense()}));
        check_close(concat(std::make_tuple(a, c), -1).to_dense(), hstack({a.to_dense(), c.to_dense()}));
        check_close(block_diag(a, b, c).to_dense(), block_diag(a.to_dense(), b.to_dense(), c.to_dense()));
        const auto mixed = hstack(std::make_tuple(a, astype<float>(c)));
        static_assert(std::is_same_v<decltype(mixed.values)::value_type, double>);
        check_close(mixed.to_dense(), hstack(std::make_tuple(a.to_dense(), astype<float>(c.to_dense()))));
    }
    const auto a = scattered(4, 5, 1), b = scattered(3, 5, 2);
    CHECK(message<shape_error>([&] { hstack({a, b}); }) ==
          "[hstack] sparse matrices of shapes (4, 5) and (3, 5) differ in axis 0");
    CHECK(message<shape_error>([&] { vstack({a, transpose(b)}); }) ==
          "[vstack] sparse matrices of shapes (4, 5) and (5, 3) differ in axis 1");
    CHECK(message<value_error>([] { vstack(std::vector<csr_matrix<double>>()); }) ==
          "[vstack] needs at least one matrix");
}
TEST_CASE("sparse matrices of dense ones, by name") {
    const tensor<double, 2> x{{0, 1.5, 0}, {-2, 0, 0}};
    check_close(csr_matrix(x).to_dense(), x);
    check_close(coo_matrix(x * 2.0).to_dense(), x * 2.0);
    const csr_matrix<float> narrow(x);
    static_assert(std::is_same_v<decltype(narrow.values)::value_type, float>);
    CHECK(narrow.nnz() == 2);
}
TEST_CASE("sparse matrices: their text") {
    const csr_matrix<double> a(tensor<double, 2>{{0, 1.5, 0}, {-20, 0, 0}});
    CHECK(to_string(a) == "csr_matrix of float64, shape (2, 3), 2 entries\n  (0, 1)    1.5\n  (1, 0)  -20. ");
    std::ostringstream out;
    out << std::fixed << std::setprecision(2) << coo_matrix(tensor<double, 2>{{1.0 / 3}});
    CHECK(out.str() == "coo_matrix of float64, shape (1, 1), 1 entry\n  (0, 0)  0.33");
    const csr_matrix<int> wide(arange<int>(1, 61)(newaxis, all));
    const std::string text = to_string(wide);
    CHECK(text.starts_with("csr_matrix of int32, shape (1, 60), 60 entries\n  (0, 0)    1\n"));
    CHECK(text.find("\n  (0, 24)  25\n  ...\n  (0, 35)  36\n") != std::string::npos);
    CHECK(text.ends_with("\n  (0, 59)  60"));
    grad([](auto v) {
        CHECK(to_string(csr_matrix<double>(tensor<double, 2>{{1, 0}}).with_values(v)) ==
              "csr_matrix of float64 with values\n[1.]");
        return sum(v);
    })(tensor<double, 1>{1.0});
}
