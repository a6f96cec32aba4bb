// Sums and multiples of sparse matrices: against dense ones, derivatives in the values, batches, and what they refuse.
#include "../reference.hpp"
#include "scattered.hpp"

using namespace mapped;
using reference::message;
using scattered_entries::scattered;

TEST_CASE("sparse sums: the dense matrices' sums, entries in order, where either has one") {
    for (const index_t every : {1, 2, 3, 7}) {
        const auto a = scattered(5, 6, 1, every), b = scattered(5, 6, 2, 3);
        check_close((a + b).to_dense(), a.to_dense() + b.to_dense());
        check_close((a - b).to_dense(), a.to_dense() - b.to_dense());
        const auto c = a + b;
        CHECK(c.nnz() == count_nonzero(logical_or(a.to_dense() != 0, b.to_dense() != 0)).item());
        for (index_t i = 0; i < 5; ++i)
            for (index_t k = c.row_offsets.at(i) + 1; k < c.row_offsets.at(i + 1); ++k)
                CHECK(c.columns.at(k - 1) < c.columns.at(k));
        CHECK((a - a).nnz() == a.nnz());
        check_close((a - a).to_dense(), zeros<double>({5, 6}));
    }
    const csr_matrix<double> empty{zeros<std::int64_t>({6}), zeros<std::int64_t>({0}), zeros<double>({0}), {5, 6}};
    CHECK((empty + empty).nnz() == 0);
    const auto a = scattered(5, 6, 1, 2);
    check_close((empty - a).to_dense(), evaluate(-a.to_dense()));
    const csr_matrix<int> whole{tensor<std::int64_t, 1>{0, 1}, tensor<std::int64_t, 1>{1}, tensor<int, 1>{3}, {1, 2}};
    static_assert(std::is_same_v<decltype((whole + whole).values)::value_type, int>);
    const csr_matrix<double> half = whole * 0.5;
    CHECK((whole + half).values.item() == 4.5);
    const auto bytes = whole.with_values(astype<std::uint8_t>(whole.values));
    CHECK((half - bytes).values.item() == -1.5);
}
TEST_CASE("sparse sums: of all entries, of columns, of rows, with derivatives") {
    const auto a = scattered(5, 6, 1, 2);
    check_close(sum(a, 0), sum(a.to_dense(), 0));
    check_close(sum(a, 1), sum(a.to_dense(), 1));
    check_close(sum(a, -1), sum(a.to_dense(), 1));
    CHECK(double(sum(a)) == doctest::Approx(double(sum(a.to_dense()))));
    const auto bytes = to_sparse_csr(tensor<std::uint8_t, 2>{{200, 0}, {100, 100}});
    CHECK(array_equal(sum(bytes, 0), tensor<std::uint64_t, 1>{300, 100}));
    const tensor<double, 1> weight = spread({5});
    const auto slope = grad([&](auto v) { return sum(sum(a.with_values(v), 1) * weight); })(a.values);
    for (index_t i = 0; i < 5; ++i)
        for (index_t k = a.row_offsets.at(i); k < a.row_offsets.at(i + 1); ++k) CHECK(slope.at(k) == weight.at(i));
    CHECK(message<index_error>([&] { sum(a, 2); }) == "[sum] axis 2 is out of range for rank 2");
}
TEST_CASE("sparse multiples: by numbers and arrays of rank 0") {
    const auto a = scattered(4, 5, 0, 2);
    check_close((2.0 * a).to_dense(), 2.0 * a.to_dense());
    check_close((a / 4).to_dense(), a.to_dense() / 4);
    check_close((-a).to_dense(), evaluate(-a.to_dense()));
    const tensor<double, 1> x = spread({5});
    const auto f = [&](auto s) { return sum(square(matmul(a * s - a, x))); };
    const double ax = sum(square(matmul(a, x)));
    CHECK(grad(f)(tensor<double, 0>(3.0)).item() == doctest::Approx(4 * ax));
}
TEST_CASE("sparse sums: derivatives in the values, and maps over them") {
    const auto a = scattered(4, 5, 0, 2), b = scattered(4, 5, 1, 3);
    const auto f = [a, b](auto v, auto w) {
        const auto c = a.with_values(v) - b.with_values(w);
        return evaluate(square((c + a.with_values(v)).values));
    };
    const std::tuple at(a.values, b.values);
    CHECK(gradcheck(f, at));
    CHECK(gradgradcheck(f, at));
    const auto many = spread({3, a.nnz()});
    const auto y = evaluate(vmap(f, in_axes(0, ricci::none))(many, b.values));
    for (index_t i = 0; i < 3; ++i) check_close(y(i), f(evaluate(many(i)), b.values));
}
TEST_CASE("sparse sums: shapes that differ are refused") {
    const auto a = scattered(4, 5, 0, 2), b = scattered(5, 4, 0, 2);
    CHECK(message<shape_error>([&] { return a + b; }) == "[add] sparse matrices of shapes (4, 5) and (5, 4) differ");
    CHECK(message<shape_error>([&] { return a - b; }) ==
          "[subtract] sparse matrices of shapes (4, 5) and (5, 4) differ");
}
