// load_npy and save_npy: against NumPy's own bytes, round trips, layouts, and every way in which a file can be wrong.
#include <doctest/doctest.h>
#include <ricci/io/npy.hpp>
#include <ricci/ricci.hpp>

#include <limits>
#include <string>

#include "../golden/npy.hpp"
#include "files.hpp"

using namespace ricci;
using files::begins;

namespace {

/// What the golden files hold at row-major place i.
template <class T>
T golden_element(index_t i) {
    const double x = 0.1 * static_cast<double>(i) - 1;
    if constexpr (std::is_same_v<T, bool>) return i % 3 == 0;
    else if constexpr (is_complex_v<T>) return T(static_cast<real_t<T>>(x), static_cast<real_t<T>>(-i));
    else if constexpr (is_real_floating_v<T>) return static_cast<T>(x);
    else return static_cast<T>(std::is_signed_v<T> ? 5 * i - 6 : 5 * i);
}
template <class T, int R>
void check_golden(const std::string& bytes, const shape<R>& extents) {
    const files::temporary file(bytes);
    const auto x = load_npy<T, R>(file.path);
    REQUIRE(x.shape() == extents);
    REQUIRE(x.is_contiguous());
    for (index_t i = 0; i < x.size(); ++i) CHECK(x.data()[i] == golden_element<T>(i));
}
template <class T>
void check_dtype(const std::string& bytes, const std::string& big_endian = {}) {
    check_golden<T, 2>(bytes, {2, 3});
    if (!big_endian.empty()) check_golden<T, 2>(big_endian, {2, 3});
    auto x = tensor<T, 2>::uninitialized({2, 3});
    for (index_t i = 0; i < 6; ++i) x.data()[i] = golden_element<T>(i);
    const files::temporary file;
    save_npy(file.path, x);
    CHECK(file.read() == bytes);
}

/// The message of the io_error that loading such a file throws.
template <class T = double, int R = 2>
std::string complaint(const std::string& bytes) {
    const files::temporary file(bytes);
    return files::complaint([&] { load_npy<T, R>(file.path); });
}
std::string with_header(const std::string& header, const std::string& data = std::string(48, '\0'), char major = 1) {
    std::string bytes = std::string("\x93NUMPY") + major + '\0';
    bytes += static_cast<char>(header.size() & 255);
    bytes += static_cast<char>(header.size() >> 8);
    if (major > 1) bytes += std::string(2, '\0');
    return bytes + header + data;
}
std::string dict(const std::string& descr, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }";
}

}  // namespace

TEST_CASE("npy: every dtype of NumPy's, either byte order, and the same bytes back") {
    check_dtype<bool>(golden::npy_bool);
    check_dtype<std::int8_t>(golden::npy_int8);
    check_dtype<std::int16_t>(golden::npy_int16, golden::npy_int16_big);
    check_dtype<std::int32_t>(golden::npy_int32, golden::npy_int32_big);
    check_dtype<std::int64_t>(golden::npy_int64, golden::npy_int64_big);
    check_dtype<long long>(golden::npy_int64, golden::npy_int64_big);
    check_dtype<std::uint8_t>(golden::npy_uint8);
    check_dtype<std::uint16_t>(golden::npy_uint16, golden::npy_uint16_big);
    check_dtype<std::uint32_t>(golden::npy_uint32, golden::npy_uint32_big);
    check_dtype<std::uint64_t>(golden::npy_uint64, golden::npy_uint64_big);
    check_dtype<float16>(golden::npy_float16, golden::npy_float16_big);
    check_dtype<float>(golden::npy_float32, golden::npy_float32_big);
    check_dtype<double>(golden::npy_float64, golden::npy_float64_big);
    check_dtype<std::complex<float>>(golden::npy_complex64, golden::npy_complex64_big);
    check_dtype<std::complex<double>>(golden::npy_complex128, golden::npy_complex128_big);
}

TEST_CASE("npy: bfloat16 as ml_dtypes writes it, two bytes of no type") {
    const files::temporary file;
    save_npy(file.path, tensor<bfloat16, 1>{1, -2.5, 0.1});
    const std::string bytes = file.read();
    CHECK(bytes.find("{'descr': '<V2', 'fortran_order': False, 'shape': (3,), }") == 10);
    CHECK(bytes.substr(128) == std::string("\x80\x3f\x20\xc0\xcd\x3d", 6));
    const auto x = load_npy<bfloat16, 1>(file.path);
    CHECK((x.at(0) == 1 && x.at(1) == -2.5f && x.at(2) == bfloat16(0.1)));
    CHECK(complaint<float16, 1>(bytes) == "holds bfloat16 of shape (3,), asked for float16 of rank 1");
}

TEST_CASE("npy: ranks, empty arrays, memory orders and versions of NumPy's") {
    check_golden<double, 0>(golden::npy_scalar, {});
    check_golden<double, 1>(golden::npy_vector, {3});
    check_golden<double, 2>(golden::npy_empty, {0, 5});
    check_golden<std::int32_t, 4>(golden::npy_rank_4, {2, 3, 2, 2});
    check_golden<double, 2>(golden::npy_fortran, {2, 3});
    check_golden<std::int16_t, 3>(golden::npy_fortran_big, {2, 3, 4});
    check_golden<double, 2>(golden::npy_version_2, {2, 3});
    check_golden<double, 2>(golden::npy_version_3, {2, 3});
}

TEST_CASE("npy: what is saved comes back, whatever its layout") {
    const files::temporary file;
    auto x = tensor<double, 2>::uninitialized({2, 3});
    for (index_t i = 0; i < 6; ++i) x.data()[i] = golden_element<double>(i);

    const tensor<double, 2> column_major(x.memory(), x.data(), {3, 2}, {1, 3});
    save_npy(file.path, column_major);
    CHECK(file.read().find("'fortran_order': True, 'shape': (3, 2)") != std::string::npos);
    const auto back = load_npy<double, 2>(file.path);
    REQUIRE(back.shape() == shape<2>{3, 2});
    for (index_t i = 0; i < 3; ++i)
        for (index_t j = 0; j < 2; ++j) CHECK(back.at(i, j) == x.at(j, i));

    const tensor<const double, 2> reversed(x.memory(), x.data() + 5, {2, 2}, {-3, -2});
    save_npy(file.path, reversed);
    const auto again = load_npy<double, 2>(file.path);
    for (index_t i = 0; i < 2; ++i)
        for (index_t j = 0; j < 2; ++j) CHECK(again.at(i, j) == x.at(1 - i, 2 - 2 * j));

    save_npy(file.path, x + x);
    CHECK(load_npy<double, 2>(file.path).at(1, 2) == x.at(1, 2) + x.at(1, 2));

    const tensor<float, 0> scalar(2.5f);
    save_npy(file.path, scalar);
    CHECK(load_npy<float, 0>(file.path).item() == 2.5f);
    save_npy(file.path, tensor<float, 3>::uninitialized({2, 0, 3}));
    CHECK(load_npy<float, 3>(file.path).shape() == shape<3>{2, 0, 3});
}

TEST_CASE("npy: a boolean of another byte is true") {
    std::string bytes = golden::npy_bool;
    bytes.back() = 7;
    const files::temporary file(bytes);
    const auto x = load_npy<bool, 2>(file.path);
    CHECK(x.at(1, 2) == true);
    CHECK(reinterpret_cast<const unsigned char*>(x.data())[5] == 1);
}

TEST_CASE("npy: what another type or rank is asked of says what it holds") {
    CHECK(complaint<double, 1>(golden::npy_float32) == "holds float32 of shape (2, 3), asked for float64 of rank 1");
    CHECK(complaint<float, 1>(golden::npy_float32) == "holds float32 of shape (2, 3), asked for float32 of rank 1");
    CHECK(complaint<float, 0>(golden::npy_vector) == "holds float64 of shape (3,), asked for float32 of rank 0");
    CHECK(complaint<std::int32_t, 2>(golden::npy_uint32) == "holds uint32 of shape (2, 3), asked for int32 of rank 2");
    CHECK(complaint<bool, 2>(golden::npy_uint8) == "holds uint8 of shape (2, 3), asked for bool of rank 2");
    CHECK(complaint<double, 2>(golden::npy_complex64) ==
          "holds complex64 of shape (2, 3), asked for float64 of rank 2");
    CHECK(complaint(golden::npy_half) == "holds float16 of shape (2,), asked for float64 of rank 2");
    CHECK(complaint(golden::npy_long_double) == "holds float128 of shape (2,), asked for float64 of rank 2");
    CHECK(complaint(golden::npy_text) == "holds dtype '<U2' of shape (2,), asked for float64 of rank 2");
    CHECK(complaint(golden::npy_record) == "holds records (a structured dtype), which tensors cannot");
    CHECK(begins(complaint(with_header(dict("'<f'", "(2, 3)"))), "holds dtype '<f' of"));
    CHECK(begins(complaint(with_header(dict("''", "(2, 3)"))), "holds dtype '' of"));
    CHECK(begins(complaint(with_header(dict("'<f88888888888'", "(2, 3)"))), "holds dtype '<f88888888888' of"));
    CHECK(complaint(with_header(dict("'=f8'", "(2L, 3L)"))) == "no error");
    CHECK(complaint(with_header(dict("\"<f8\"", "( 2,3 ,)"))) == "no error");
}

TEST_CASE("npy: every truncation of a file is noticed") {
    for (std::size_t length = 0; length < golden::npy_float64.size(); ++length) {
        const std::string text = complaint(golden::npy_float64.substr(0, length));
        if (length < 10) CHECK(text == "is not a .npy file: it has " + std::to_string(length) + " bytes");
        else if (length < 128) CHECK(text == "is truncated in its header");
        else
            CHECK(text == "is truncated: " + std::to_string(length - 128) +
                              " bytes of data do not hold float64 of shape (2, 3)");
    }
    CHECK(complaint(golden::npy_version_2.substr(0, 11)) == "is truncated in its header");
    CHECK(complaint(golden::npy_float64 + "more") == "no error");  // several arrays may follow each other in a file
}

TEST_CASE("npy: absurd shapes are refused before anything is allocated") {
    const auto before = allocator_statistics();
    for (const char* shape : {"(1000000000000, 1000000000000)", "(9223372036854775807, 9223372036854775807)",
                              "(4611686018427387904, 4)", "(7, 1)", "(1, 9223372036854775807)"})
        CHECK(begins(complaint(with_header(dict("'<f8'", shape))),
                     "is truncated: 48 bytes of data do not hold float64 of shape ("));
    CHECK(begins(complaint(with_header(dict("'<f8'", "(9223372036854775808, 1)"))),
                 "has a broken header: an extent that overflows"));
    CHECK(begins(complaint(with_header(dict("'<f8'", "(9223372036854775807, 0)"), "")),
                 "is truncated: 0 bytes of data do not hold float64 of shape ("));
    CHECK(complaint(with_header(dict("'<f8'", "(1000000000000000000, 0)"), "")) == "no error");
    CHECK(allocator_statistics().peak_bytes_in_use <= before.peak_bytes_in_use + 4096);
}

TEST_CASE("npy: broken headers are refused") {
    CHECK(complaint("PK\3\4 and so on, an archive") == "is a zip archive (.npz), not a .npy file");
    CHECK(complaint("a file of some other kind") == "is not a .npy file");
    CHECK(complaint(std::string("\x93NUMBER\1\0v\0", 12)) == "is not a .npy file");
    CHECK(complaint(with_header(dict("'<f8'", "(2, 3)"), "", 4)) == "is of version 4.0; 1.0, 2.0 and 3.0 are known");
    CHECK(complaint(with_header(dict("'<f8'", "(2, 3)"), "", 0)) == "is of version 0.0; 1.0, 2.0 and 3.0 are known");
    const std::pair<const char*, const char*> broken[] = {
        {"", "no '{'"},
        {"[]", "no '{'"},
        {"{", "no string"},
        {"{}", "a missing key"},
        {"{'descr': '<f8', 'shape': (2, 3)}", "a missing key"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)", "no '}'"},
        {"{'descr': '<f8' 'fortran_order': False, 'shape': (2, 3)}", "no '}'"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)} x", "something after the dict"},
        {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", "the key 'descr' twice"},
        {"{'descr': '<f8', 'other': 1, 'fortran_order': False, 'shape': (2, 3)}", "the unknown key 'other'"},
        {"{'descr': '<f8, 'fortran_order': False, 'shape': (2, 3)}", "no '}'"},
        {"{'descr': '<f8", "an unfinished string"},
        {"{'descr': '<f\\x38', 'fortran_order': False, 'shape': (2, 3)}", "an escape sequence"},
        {"{'descr': 8, 'fortran_order': False, 'shape': (2, 3)}", "no string"},
        {"{'descr': '<f8', 'fortran_order': 0, 'shape': (2, 3)}", "no 'False'"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': 6}", "no '('"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (6)}", "no ',' after the only extent"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, -3)}", "no extent"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3.0)}", "no ')'"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3", "no ')'"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (,)}", "no extent"},
    };
    for (const auto& [header, what] : broken) {
        INFO(header);
        CHECK(begins(complaint(with_header(header)), std::string("has a broken header: ") + what));
    }
}

TEST_CASE("npy: files that cannot be opened, read or written") {
    CHECK_THROWS_WITH_AS((load_npy<double, 1>("/nonexistent/x.npy")),
                         "[load_npy] '/nonexistent/x.npy' cannot be opened: No such file or directory", io_error);
    CHECK_THROWS_AS((load_npy<double, 1>("/")), io_error);
    const tensor<double, 1> x{1, 2, 3};
    CHECK_THROWS_WITH_AS(save_npy("/nonexistent/x.npy", x),
                         "[save_npy] '/nonexistent/x.npy' cannot be opened: No such file or directory", io_error);
    CHECK_THROWS_WITH_AS(save_npy("/dev/full", x), "[save_npy] '/dev/full' cannot be written: No space left on device",
                         io_error);
}
