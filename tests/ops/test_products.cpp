// dot, vdot, vecdot, inner, outer, tensordot and kron against NumPy, in every memory layout; what they refuse.
#include "products.hpp"

using namespace ricci;
using reference::layout;
using reference::message;

TEST_CASE("products: NumPy's results") {
    using T = double;
    for (const layout l : {layout::contiguous, layout::permuted, layout::reversed, layout::strided}) {
        CAPTURE(reference::name(l));
        RICCI_PRODUCT_ARRAYS(RICCI_MAKE_ARRAY);
        RICCI_PRODUCT_CASES(RICCI_CHECK_CALL);
    }
}

#define RICCI_CHECK_COMPLEX_CALL(call, shape, real_parts, imaginary_parts)                             \
    {                                                                                                  \
        const auto product = evaluate(RICCI_STRIP call);                                               \
        calls::check_values(#call, real(product), {RICCI_STRIP shape}, {RICCI_STRIP real_parts});      \
        calls::check_values(#call, imag(product), {RICCI_STRIP shape}, {RICCI_STRIP imaginary_parts}); \
    }

TEST_CASE("products: NumPy's results of complex numbers") {
    using T = std::complex<double>;
    const layout l = layout::permuted;
    RICCI_PRODUCT_ARRAYS(RICCI_MAKE_ARRAY);
    RICCI_COMPLEX_PRODUCT_CASES(RICCI_CHECK_COMPLEX_CALL);
}

TEST_CASE("products: element types of the results") {
    const auto i = ones<std::int32_t>({3});
    const auto h = ones<float16>({3});
    const auto f = ones<float>({3});
    static_assert(std::is_same_v<decltype(dot(i, i))::value_type, std::int32_t>);
    static_assert(std::is_same_v<decltype(vecdot(i, i))::value_type, std::int32_t>);
    static_assert(std::is_same_v<decltype(matmul(i, i))::value_type, std::int32_t>);
    static_assert(std::is_same_v<decltype(dot(h, h))::value_type, float16>);
    static_assert(std::is_same_v<decltype(dot(i, f))::value_type, promote_t<std::int32_t, float>>);
    CHECK(dot(i, i).item() == 3);
    // as NumPy's, sums of small integers wrap
    CHECK(dot(tensor<std::int8_t, 1>{100, 100}, tensor<std::int8_t, 1>{1, 1}).item() == -56);
    // 2048 + 1 is no float16: rounded once, the sum of 4096 ones is exact
    CHECK(dot(ones<float16>({4096}), ones<float16>({4096})).item() == float16(4096));
    CHECK(tensordot<1>(ones<float16>({2, 4096}), ones<float16>({4096, 2})).at(1, 1) == float16(4096));
}

TEST_CASE("products: mistakes are told with both shapes") {
    const auto a = zeros<double>({2, 3});
    const auto b = zeros<double>({4, 5});
    const auto t = zeros<double>({2, 3, 4});
    CHECK(message<shape_error>([&] { dot(a, b); }) ==
          "[dot] the last dimension of a (2, 3) must match the second to last of b (4, 5): 3 != 4");
    CHECK(message<shape_error>([&] { dot(a, zeros<double>({2})); }) ==
          "[dot] the last dimension of a (2, 3) must match the only of b (2,): 3 != 2");
    CHECK(message<shape_error>([&] { inner(a, b); }) ==
          "[inner] axis 1 of a (2, 3) must match axis 1 of b (4, 5): 3 != 5");
    CHECK(message<shape_error>([&] { vdot(a, b); }) ==
          "[vdot] a (2, 3) and b (4, 5) must have as many elements: 6 != 20");
    CHECK(message<shape_error>([&] { vecdot(a, b); }) ==
          "[vecdot] axis -1 of a (2, 3) must match that of b (4, 5): 3 != 5");
    CHECK(message<index_error>([&] { vecdot(t, a, 0); }) == "[vecdot] axis 0 is not in both a (2, 3, 4) and b (2, 3)");
    CHECK(message<shape_error>([&] { tensordot<1>(a, b); }) ==
          "[tensordot] axis 1 of a (2, 3) must match axis 0 of b (4, 5): 3 != 4");
    CHECK(message<index_error>([&] { tensordot(t, t, {1, -2}, {1, 0}); }) == "[tensordot] axis 1 of a is named twice");
    CHECK(message<index_error>([&] { tensordot(t, t, {1, 2}, {1, 1}); }) == "[tensordot] axis 1 of b is named twice");
    CHECK(message<index_error>([&] { tensordot(t, t, {3}, {0}); }) == "[tensordot] axis 3 is out of range for rank 3");
    // broadcasting an axis that is summed is not what vecdot does
    CHECK_THROWS_AS(vecdot(a, zeros<double>({1})), shape_error);
}

TEST_CASE("products: by numbers, which are weak, and tensordot's axes as NumPy has them") {
    const tensor<float, 1> v{1, 2};
    const tensor<double, 2> a{{2, 1}, {1, 3}};
    static_assert(std::is_same_v<decltype(dot(v, 2.0))::value_type, float>);
    static_assert(std::is_same_v<decltype(kron(2.0, v))::value_type, float>);
    static_assert(std::is_same_v<decltype(einsum<"i,->i">(v, 2.0))::value_type, float>);
    CHECK(array_equal(dot(v, 2), 2 * v));
    CHECK(array_equal(inner(2, a), 2 * a));
    CHECK(array_equal(kron(a, 3.0), 3 * a));
    CHECK(array_equal(einsum<"ij,,j->i">(a, 2, v), 2 * matmul(a, v)));
    CHECK(array_equal(grad([](auto x) { return sum(kron(x, 2)) + sum(einsum<",i->i">(3, x)); })(v),
                      tensor<float, 1>{5, 5}));
    CHECK(array_equal(tensordot(a, a, {{1}, {0}}), matmul(a, a)));
    CHECK(tensordot(a, a, {{0, 1}, {1, 0}}).item() == 15);
}
