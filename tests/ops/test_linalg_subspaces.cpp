// null_space and orth; circulant, hankel, hilbert.
#include <ricci/scientific.hpp>

#include "linalg.hpp"

using namespace linear;

namespace {

template <class T>
void check_subspaces() {
    const auto tall = some<T>(shape<2>{5, 2}, 1), wide = some<T>(shape<2>{2, 4}, 2);
    const auto a = matmul(tall, wide);  // (5, 4), of rank 2
    const auto kernel = linalg::null_space(a), range = linalg::orth(a);
    const double bound = 100 * epsilon<T>;
    CHECK(kernel.shape() == shape<2>{4, 2});
    CHECK(range.shape() == shape<2>{5, 2});
    CHECK(largest(matmul(a, kernel)) < bound);
    CHECK(largest(evaluate(matmul(turned(kernel), kernel) - eye<real_t<T>>(2))) < bound);
    CHECK(largest(evaluate(matmul(turned(range), range) - eye<real_t<T>>(2))) < bound);
    CHECK(largest(evaluate(matmul(range, matmul(turned(range), a)) - a)) < bound);
}

}  // namespace

TEST_CASE("linalg: bases of kernels and ranges") {
    check_subspaces<double>();
    check_subspaces<float>();
    check_subspaces<complex_double>();
    const tensor<double, 2> a{{1, 0, 0}, {0, 1e-3, 0}};
    CHECK(linalg::null_space(a).shape() == shape<2>{3, 1});
    CHECK(linalg::null_space(a, 1e-2).shape() == shape<2>{3, 2});  // 1e-3 counts as 0
    CHECK(linalg::orth(a, 1e-2).shape() == shape<2>{2, 1});
    CHECK(linalg::null_space(eye(3)).shape() == shape<2>{3, 0});
    CHECK(linalg::orth(zeros<double>({3, 2})).shape() == shape<2>{3, 0});
    CHECK(largest(evaluate(abs(linalg::null_space(tensor<int, 2>{{1, 1}})) - std::sqrt(0.5))) < 1e-15);
    CHECK_THROWS_AS(vmap([](auto x) { return sum(linalg::orth(x)); })(zeros<double>({2, 3, 3})), value_error);
}

TEST_CASE("linalg: derivatives of what does not depend on the choice of a basis") {
    const auto projector = [](const auto& a) {
        const auto n = linalg::null_space(a), r = linalg::orth(a);
        return joined<double>(matmul(n, matrix_transpose(n)), matmul(r, matrix_transpose(r)));
    };
    check_derivatives(projector, some<double>(shape<2>{2, 4}, 3));
    const auto of_complex = [](const auto& a) {
        const auto n = linalg::null_space(a);
        return matmul(n, conj(matrix_transpose(n)));
    };
    CHECK(gradcheck(of_complex, std::make_tuple(some<complex_double>(shape<2>{2, 3}, 4))));
}

TEST_CASE("linalg: circulant, hankel and hilbert are SciPy's") {
    const tensor<int, 1> c{1, 2, 3}, r{9, 4, 5, 6};
    CHECK(array_equal(linalg::circulant(c), tensor<int, 2>{{1, 3, 2}, {2, 1, 3}, {3, 2, 1}}));
    CHECK(array_equal(linalg::hankel(c, r), tensor<int, 2>{{1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}));
    CHECK(array_equal(linalg::hankel(c), tensor<int, 2>{{1, 2, 3}, {2, 3, 0}, {3, 0, 0}}));
    CHECK(array_equal(linalg::hilbert(2), tensor<double, 2>{{1, 0.5}, {0.5, 1 / 3.0}}));
    CHECK(linalg::hilbert<float>(0).shape() == shape<2>{0, 0});
    const auto stacked = linalg::circulant(tensor<int, 2>{{1, 2}, {3, 4}});
    CHECK(array_equal(stacked, tensor<int, 3>{{{1, 2}, {2, 1}}, {{3, 4}, {4, 3}}}));
    const auto f = [](const auto& x, const auto& y) {
        return joined<double>(linalg::circulant(x), linalg::hankel(x, y));
    };
    const auto x = some<double>(shape<1>{3}, 1), y = some<double>(shape<1>{2}, 2);
    CHECK(gradcheck(f, std::make_tuple(x, y)));
    check_batches([](const auto& v) { return joined<double>(linalg::circulant(v), linalg::hankel(v)); },
                  some<double>(shape<2>{2, 3}, 3));
    CHECK_THROWS_AS(linalg::hankel(c, zeros<int>({0})), shape_error);
    CHECK_THROWS_AS(linalg::circulant(zeros<int>({0})), shape_error);
    CHECK_THROWS_WITH_AS(linalg::hilbert(-1), "[hilbert] the number of rows must not be negative: -1", value_error);
}
