// load_npz, npz_file, save_npz: NumPy's files and other writers', round trips, and every way in which an archive can be
// wrong.
#include <ricci/io/npz.hpp>
#include <ricci/ricci.hpp>

#include "../golden/npz.hpp"
#include "files.hpp"

using namespace ricci;
using namespace std::string_literals;
using files::begins, files::bytes_of, files::complaint;

namespace {

constexpr bool compressed = detail::has_zlib;
const std::string needs_zlib =
    "entry 'a': its compressed data is compressed: define RICCI_USE_ZLIB (CMake: link ricci::zlib)";

void check_a(const std::string& bytes) {
    const auto a = load_npz<double, 2>(bytes_of(bytes), "a");
    REQUIRE(a.shape() == shape<2>{2, 3});
    for (index_t i = 0; i < 6; ++i) CHECK(a.data()[i] == static_cast<double>(i) + 0.5);
}
std::string complaint_of(const std::string& bytes, const std::string& name = "a") {
    return complaint([&] { load_npz<double, 2>(bytes_of(bytes), name); });
}
/// `bytes` with others in the place `offset` behind the last occurrence of `mark`.
std::string patched(std::string bytes, const std::string& mark, std::size_t offset, const std::string& with) {
    return bytes.replace(bytes.rfind(mark) + offset, with.size(), with);
}

}  // namespace

TEST_CASE("npz: NumPy's archives, and those of other writers") {
    check_a(golden::npz_stored);
    check_a(golden::npz_streamed);
    check_a(golden::npz_bare_name);
    check_a(golden::npz_other_content);
    check_a(golden::npz_zip64);

    const files::temporary file(golden::npz_stored);
    npz_file archive(file.path);
    CHECK(archive.arrays() ==
          std::vector<array_info>{
              {"a", "float64", {2, 3}}, {"b", "int32", {4}}, {"c", "complex128", {}}, {"f", "float64", {2, 3}}});
    CHECK(archive.contains("c"));
    CHECK(!archive.contains("d"));
    CHECK(archive.load<std::complex<double>, 0>("c").item() == std::complex<double>(1, 2));
    CHECK(archive.load<double, 2>("f").at(1, 0) == 3.5);
    CHECK(archive.load<std::int32_t, 1>("b").at(3) == -4);
    CHECK(archive.load<std::int32_t, 1>("b.npy").at(1) == -2);
    npz_file moved(std::move(archive));
    CHECK(moved.load<double, 2>("a").at(0, 1) == 1.5);
    CHECK(npz_file(bytes_of(golden::npz_empty)).arrays().empty());
    CHECK(npz_file(bytes_of(golden::npz_other_content)).arrays().size() == 1);
    CHECK(npz_file(bytes_of(golden::npz_text)).arrays() == std::vector<array_info>{{"words", "dtype '<U2'", {2}}});
}

TEST_CASE("npz: compressed archives are read with zlib, and refused without") {
    for (const std::string& bytes : {golden::npz_deflated, golden::npz_streamed_deflated}) {
        if (compressed) check_a(bytes);
        else CHECK(complaint_of(bytes) == needs_zlib);
    }
    if (!compressed) return;
    CHECK(load_npz<float, 1>(bytes_of(golden::npz_deflated), "z").shape() == shape<1>{200});
    CHECK(npz_file(bytes_of(golden::npz_deflated)).arrays().at(2) == array_info{"z", "float32", {200}});
}

TEST_CASE("npz: what is saved comes back, whatever its layout, and to NumPy's eye") {
    const files::temporary file;
    const tensor<double, 2> a{{0.5, 1.5, 2.5}, {3.5, 4.5, 5.5}};
    save_npz(file.path, {{"a", a}, {"t", permute(a, {1, 0})}, {"sum", a + a}, {"s", 2.5f}, {"e", zeros<bool>({0, 3})}});
    check_a(file.read());
    npz_file archive(file.path);
    CHECK(archive.load<double, 2>("t").at(2, 1) == 5.5);
    CHECK(archive.load<double, 2>("sum").at(1, 1) == 9);
    CHECK(archive.load<float, 0>("s").item() == 2.5f);
    CHECK(archive.load<bool, 2>("e").shape() == shape<2>{0, 3});
    // the entry is the .npy file that NumPy has in its archive
    const std::string written = file.read(), npy = golden::npz_stored.substr(golden::npz_stored.find("\x93NUMPY"), 176);
    CHECK(written.find(npy) != std::string::npos);

    save_npz(file.path, {});
    CHECK(file.read() == golden::npz_empty);
    save_npz(file.path, std::vector<named_array>{{"one", a}});
    CHECK(load_npz<double, 2>(file.path, "one").at(1, 2) == 5.5);
    save_npz(file.path, {{"gr\xc3\xb6\xc3\x9f"
                          "e",
                          a}});
    CHECK(load_npz<double, 2>(file.path,
                              "gr\xc3\xb6\xc3\x9f"
                              "e")
              .at(1, 2) == 5.5);
}

TEST_CASE("npz: an array may be named as another one's entry is") {
    const files::temporary file;
    save_npz(file.path, {{"a", tensor{1.0, 2.0}}, {"a.npy", tensor{3.0}}});
    CHECK(array_equal(load_npz<double, 1>(file.path, "a"), tensor{1.0, 2.0}));
    CHECK(array_equal(load_npz<double, 1>(file.path, "a.npy"), tensor{3.0}));
}
TEST_CASE("npz: more entries than 16 bits count") {
    std::vector<named_array> many;
    const tensor<std::int8_t, 0> zero(std::int8_t(7));
    for (int i = 0; i < 65540; ++i) many.emplace_back(std::to_string(i), zero);
    const files::temporary file;
    save_npz(file.path, many);
    npz_file archive(file.path);
    CHECK(archive.contains("65539"));
    CHECK(archive.load<std::int8_t, 0>("65539").item() == 7);
}

#if defined(RICCI_USE_ZLIB)
TEST_CASE("npz: compressed round trips") {
    const files::temporary file;
    const tensor<float, 1> zero = zeros<float>({1000000}), noise = rand<float>({300000}, generator(1));
    for (const int level : {0, 1, 9}) {
        save_npz_compressed(file.path, {{"zero", zero}, {"noise", noise}, {"none", zeros<float>({0})}}, level);
        npz_file archive(file.path);
        CHECK(all(archive.load<float, 1>("zero") == zero).item());
        CHECK(all(archive.load<float, 1>("noise") == noise).item());
        CHECK(archive.load<float, 1>("none").size() == 0);
        if (level > 0) CHECK(file.read().size() < 1300000);
    }
    CHECK(complaint<value_error>([&] { save_npz_compressed("/nonexistent", {}, 10); }) ==
          "[save_npz_compressed] level 10 is not in 0 to 9");
    CHECK(complaint([&] { save_npz_compressed("/dev/full", {{"x", noise}}); }) ==
          "cannot be written: No space left on device");
}

TEST_CASE("npz: broken compressed data") {
    const std::string good = golden::npz_streamed_deflated;
    const std::size_t data = good.find("a.npy") + 5;
    std::string bytes = good;
    bytes[data] = '\7';
    CHECK(begins(complaint_of(bytes), "entry 'a': its compressed data invalid block type"));
    // each byte of the data in turn: no error is impossible, an array other than a is impossible
    for (std::size_t at = data; at < good.find("PK\7\10"); ++at) {
        bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
        CHECK(complaint_of(bytes) != "no error");
    }
    CHECK(complaint_of(patched(good, "PK\1\2", 20, "\x10\0\0\0"s)) == "entry 'a': its compressed data ends early");
    CHECK(complaint_of(patched(good, "PK\1\2", 24, "\xA0\0\0\0"s)) ==
          "entry 'a' is truncated: 32 bytes of data do not hold float64 of shape (2, 3)");
    CHECK(complaint_of(patched(good, "PK\1\2", 24, "\xB1\0\0\0"s)) == "entry 'a': its compressed data ends early");
    CHECK(begins(complaint_of(patched(good, "PK\1\2", 24, "\xff\xff\xff\x7f"s)),
                 "entry 'a' cannot be of 2147483647 bytes: "));
    std::string longer = good;  // one byte of output fewer than the data has
    CHECK(complaint([&] {
              npz_file f(bytes_of(longer = patched(golden::npz_deflated, "PK\1\2", 24, "\x9f\3\0\0"s)));
              f.load<float, 1>("z");
          }) == "entry 'z' is truncated: 799 bytes of data do not hold float32 of shape (200,)");
}
#endif

TEST_CASE("npz: what another type, rank or name is asked of says what is there") {
    CHECK(complaint_of(golden::npz_stored, "b") == "entry 'b' holds int32 of shape (4,), asked for float64 of rank 2");
    CHECK(complaint_of(golden::npz_stored, "x") == "holds no array 'x'; it holds 'a', 'b', 'c', 'f'");
    CHECK(complaint_of(golden::npz_empty) == "holds no array 'a'; it holds none");
    CHECK(complaint_of(golden::npz_text, "words") ==
          "entry 'words' holds dtype '<U2' of shape (2,), asked for float64 of rank 2");
    CHECK(complaint_of(golden::npz_other_content, "readme.txt") == "entry 'readme.txt' is not a .npy file");
    CHECK(complaint_of(golden::npz_bzip2) ==
          "entry 'a' is compressed by method 12; 0 (stored) and 8 (deflate) are known");
    const files::temporary file;
    std::vector<named_array> many;
    for (int i = 0; i < 23; ++i) many.emplace_back(std::to_string(i), 1.0);
    save_npz(file.path, many);
    const std::string text = complaint([&] { load_npz<double, 0>(file.path, "x"); });
    CHECK(text.ends_with("'18', '19' and 3 more"));
}

TEST_CASE("npz: damage is noticed") {
    std::string bytes = golden::npz_streamed;
    bytes[bytes.find("PK\7\10") - 1] ^= 1;  // the last byte of the array
    CHECK(complaint_of(bytes) == "entry 'a' is damaged: its checksum does not fit");
    const std::string& good = golden::npz_stored;
    for (std::size_t length = 0; length < good.size(); ++length) {
        const std::string text = complaint_of(good.substr(0, length));
        CHECK(text ==
              (length < 4 ? "is not a zip archive (.npz)" : "is truncated: a zip archive without its directory"));
    }
    CHECK(complaint_of("a file of some other kind") == "is not a zip archive (.npz)");
    CHECK(complaint_of(patched(good, "PK\5\6", 4, "\1")) == "is a broken zip archive: it spans several files");
    CHECK(complaint_of(patched(good, "PK\5\6", 10, "\3")) == "is a broken zip archive: its directory");
    CHECK(complaint_of(patched(good, "PK\5\6", 10, "\xff")) ==
          "is a broken zip archive: a directory too small for its entries");
    CHECK(complaint_of(patched(good, "PK\5\6", 10, "\xff\xff")) == "is a broken zip archive: no zip64 locator");
    CHECK(complaint_of(patched(good, "PK\5\6", 12, "\xff\xff\xff\x7f")) ==
          "is a broken zip archive: a directory beyond its end");
    CHECK(complaint_of(patched(good, "PK\1\2", 0, "PK\1\3")) == "is a broken zip archive: its directory");
    CHECK(complaint_of(patched(good, "PK\1\2", 28, "\xff\xff")) == "is a broken zip archive: its directory");
    const std::string& zip64 = golden::npz_zip64;
    CHECK(complaint_of(patched(zip64, "PK\6\7", 8, "\xff\xff\xff\xff\xff\xff\xff\xff")) ==
          "is a broken zip archive: no zip64 end");
    CHECK(complaint_of(patched(zip64, "PK\6\6", 0, "PK\6\5")) == "is a broken zip archive: no zip64 end");
    CHECK(complaint_of(patched(zip64, "PK\6\6", 32, "\xff\xff\xff\xff\xff\xff\xff\xff")) ==
          "is a broken zip archive: a directory too small for its entries");
    CHECK(complaint_of(patched(zip64, "PK\6\6", 48, "\xff\xff\xff\xff\xff\xff\xff\xff")) ==
          "is a broken zip archive: a directory beyond its end");
    CHECK(complaint_of(patched(zip64, "??", 4, "\4\0"s)) == "is a broken zip archive: a short zip64 field");

    const std::string& one = golden::npz_bare_name;
    CHECK(complaint_of(patched(one, "PK\1\2", 8, "\1")) == "entry 'a' is encrypted");
    CHECK(complaint_of(patched(one, "PK\1\2", 42, "\xff\xff")) == "entry 'a' lies beyond the archive's end");
    CHECK(complaint_of(patched(one, "PK\1\2", 42, "\1")) == "entry 'a' has no header where the directory says");
    CHECK(begins(complaint_of(patched(one, "PK\1\2", 24, "\1\1")), "entry 'a' cannot be of 257 bytes"));
    CHECK(complaint_of(patched(one, "PK\1\2", 20, "\1\xff\0\0\1\xff"s)) == "entry 'a' lies beyond the archive's end");
}

TEST_CASE("npz: savers refuse before the file is touched") {
    const files::temporary file("precious");
    const tensor<double, 1> x{1, 2};
    CHECK(complaint<value_error>([&] { save_npz(file.path, {{"x", x}, {"y", x}, {"x", x}}); }) ==
          "[save_npz] two arrays named 'x'");
    CHECK(complaint<value_error>([&] { save_npz(file.path, {{std::string(65532, 'n'), x}}); }) ==
          "[save_npz] a name of 65532 bytes: at most 65531 fit");
    CHECK(file.read() == "precious");
    CHECK(complaint([&] { save_npz("/dev/full", {{"x", x}}); }) == "cannot be written: No space left on device");
    CHECK(begins(complaint([&] { save_npz("/nonexistent/x.npz", {{"x", x}}); }), "cannot be opened: "));
    CHECK(begins(complaint([&] { load_npz<double, 1>("/nonexistent/x.npz", "x"); }), "cannot be opened: "));
}
