// Complex derivatives against PyTorch: matrix products.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: matmul") {
    const tensor<complex128, 2> m = stack({z0, w0, c0});
    check("matmul", [&](auto z) { return matmul(m * z, matmul(m, z)); }, golden::complex_matmul);
}
TEST_CASE("complex: matmul of a real and a complex matrix has a real gradient for the real one") {
    const auto a = spread({2, 3});
    const auto m = evaluate(ricci::complex(spread({3, 2}, 4), spread({3, 2}, 9)));
    CHECK(gradcheck([](auto a, auto m) { return matmul(a, m); }, std::tuple(a, m)));
    CHECK(is_complex_v<decltype(std::get<1>(vjp([&](auto m) { return matmul(a, m); }, m))(matmul(a, m)))::value_type>);
    CHECK(std::is_same_v<decltype(grad([&](auto a) { return sum(abs(matmul(a, m))); })(a))::value_type, double>);
}
