// load_npy_any: every type and rank of NumPy's, memory orders, and what is no alternative.
#include <ricci/io/any.hpp>

#include "../golden/npy.hpp"
#include "files.hpp"

using namespace ricci;
using files::bytes_of, files::complaint;

namespace {

template <class T>
void check_type(const std::string& bytes, const std::string& big_endian = {}) {
    for (const std::string& b : {bytes, big_endian.empty() ? bytes : big_endian}) {
        const auto any = load_npy_any(bytes_of(b));
        REQUIRE(std::holds_alternative<tensor<T, 2>>(any));
        const auto& x = std::get<tensor<T, 2>>(any);
        CHECK(x.shape() == shape<2>{2, 3});
        CHECK(x.is_contiguous());
        if constexpr (is_complex_v<T>) CHECK(x.at(1, 2).imag() == -5);
        else if constexpr (std::is_floating_point_v<T>) CHECK(x.at(1, 2) == T(-0.5));
        else if constexpr (std::is_same_v<T, bool>) CHECK(x.at(1, 0));
        else CHECK(x.at(1, 2) == (std::is_signed_v<T> ? 19 : 25));
    }
}

}  // namespace

TEST_CASE("any: every type") {
    check_type<bool>(golden::npy_bool);
    check_type<std::int8_t>(golden::npy_int8);
    check_type<std::int16_t>(golden::npy_int16, golden::npy_int16_big);
    check_type<std::int32_t>(golden::npy_int32, golden::npy_int32_big);
    check_type<std::int64_t>(golden::npy_int64, golden::npy_int64_big);
    check_type<std::uint8_t>(golden::npy_uint8);
    check_type<std::uint16_t>(golden::npy_uint16, golden::npy_uint16_big);
    check_type<std::uint32_t>(golden::npy_uint32, golden::npy_uint32_big);
    check_type<std::uint64_t>(golden::npy_uint64, golden::npy_uint64_big);
    check_type<float>(golden::npy_float32, golden::npy_float32_big);
    check_type<double>(golden::npy_float64, golden::npy_float64_big);
    check_type<std::complex<float>>(golden::npy_complex64, golden::npy_complex64_big);
    check_type<std::complex<double>>(golden::npy_complex128, golden::npy_complex128_big);
}

TEST_CASE("any: 16-bit floats") {
    const files::temporary file;
    save_npy(file.path, tensor<float16, 1>{float16(1.5f), float16(-2.0f)});
    CHECK(static_cast<float>(std::get<tensor<float16, 1>>(load_npy_any(file.path)).at(1)) == -2);
    save_npy(file.path, tensor<bfloat16, 1>{bfloat16(1.5f), bfloat16(-2.0f)});
    CHECK(static_cast<float>(std::get<tensor<bfloat16, 1>>(load_npy_any(file.path)).at(0)) == 1.5f);
}

TEST_CASE("any: ranks and memory orders") {
    const auto rank = [](const std::string& bytes) {
        return std::visit([](const auto& x) { return x.ndim(); }, load_npy_any(bytes_of(bytes)));
    };
    CHECK(rank(golden::npy_scalar) == 0);
    CHECK(rank(golden::npy_vector) == 1);
    CHECK(rank(golden::npy_empty) == 2);
    CHECK(rank(golden::npy_rank_4) == 4);
    const auto any = load_npy_any(bytes_of(golden::npy_fortran));
    const auto& x = std::get<tensor<double, 2>>(any);
    CHECK(x.strides() == shape<2>{1, 2});
    CHECK(x.at(1, 2) == -0.5);
    CHECK(x.at(0, 1) == -0.9);
}

TEST_CASE("any: what is no alternative") {
    for (const char* descr : {">c1", ">c5", ">i3", "<u6"}) {
        std::string bytes = golden::npy_complex64_big;
        bytes.replace(bytes.find(">c8"), 3, descr);
        CHECK(complaint([&] { load_npy_any(bytes_of(bytes)); }) ==
              "holds dtype '" + std::string(descr) + "', which tensors cannot");
    }
    CHECK(complaint([] { load_npy_any<1>(bytes_of(golden::npy_rank_4)); }) ==
          "holds int32 of shape (2, 3, 2, 2), which is none of the variant's types and ranks");
    CHECK(complaint([] { load_npy_any(bytes_of(golden::npy_text)); }) == "holds dtype '<U2', which tensors cannot");
    CHECK(complaint([] { load_npy_any(bytes_of(golden::npy_long_double)); }) ==
          "holds float128 of shape (2,), which is none of the variant's types and ranks");
    CHECK(files::begins(complaint([] { load_npy_any(bytes_of(golden::npy_float64.substr(0, 130))); }),
                        "is truncated: 2 bytes"));
}
