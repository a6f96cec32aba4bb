// .safetensors files: against those of the format's own writer, byte for byte, and every way in which one can be wrong.
#include <ricci/io/safetensors.hpp>
#include <ricci/ricci.hpp>

#include "../golden/safetensors.hpp"
#include "files.hpp"

using namespace ricci;
using namespace std::string_literals;
using files::begins, files::bytes_of, files::complaint;

namespace {

template <class T>
void check_type(safetensors_file& file, std::vector<named_array>& arrays, const char* name = dtype_name<T>()) {
    const auto x = file.load<T, 1>(name);
    REQUIRE(x.shape() == shape<1>{3});
    CHECK(x.at(0) == T(0));
    CHECK(x.at(1) == T(1));
    CHECK(x.at(2) == static_cast<T>(100));
    arrays.emplace_back(name, x);
}
std::string with_header(const std::string& header, std::size_t data = 0) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 255);
    return bytes + header + std::string(data, '\0');
}
std::string complaint_of(const std::string& bytes, const std::string& name = "a") {
    return complaint([&] { load_safetensors<float, 1>(bytes_of(bytes), name); });
}

}  // namespace

TEST_CASE("safetensors: every type, and the same bytes back") {
    safetensors_file in(bytes_of(golden::safetensors_types));
    std::vector<named_array> arrays;
    check_type<bool>(in, arrays);
    check_type<std::int8_t>(in, arrays);
    check_type<std::int16_t>(in, arrays);
    check_type<std::int32_t>(in, arrays);
    check_type<std::int64_t>(in, arrays);
    check_type<std::uint8_t>(in, arrays);
    check_type<std::uint16_t>(in, arrays);
    check_type<std::uint32_t>(in, arrays);
    check_type<std::uint64_t>(in, arrays);
    check_type<float>(in, arrays);
    check_type<double>(in, arrays);
    check_type<std::complex<float>>(in, arrays);
    const files::temporary out;
    save_safetensors(out.path, arrays);
    CHECK(out.read() == golden::safetensors_types);
    CHECK(safetensors_file(bytes_of(golden::safetensors_halves)).arrays() ==
          std::vector<array_info>{{"brain", "bfloat16", {2}}, {"half", "float16", {2}}});
}

TEST_CASE("safetensors: shapes, names and metadata") {
    const files::temporary file;
    const auto cube = reshape(arange<double>(24), {2, 3, 4});
    save_safetensors(file.path, {{"scalar", 2.5}, {"cube", cube}, {"empty", zeros<float>({2, 0, 3})}},
                     {{"format", "np"}});
    CHECK(file.read() == golden::safetensors_shapes);
    safetensors_file in(file.path);
    CHECK(in.metadata() == std::map<std::string, std::string>{{"format", "np"}});
    CHECK(in.arrays() == std::vector<array_info>{{"cube", "float64", {2, 3, 4}},
                                                 {"scalar", "float64", {}},
                                                 {"empty", "float32", {2, 0, 3}}});
    CHECK(in.contains("cube"));
    CHECK(!in.contains("format"));
    CHECK(in.load<double, 3>("cube").at(1, 2, 3) == 23);
    CHECK(in.load<double, 0>("scalar").item() == 2.5);
    CHECK(in.load<float, 3>("empty").shape() == shape<3>{2, 0, 3});
    CHECK(load_safetensors<double, 3>(file.path, "cube").at(0, 1, 0) == 4);

    save_safetensors(file.path, {{"t", permute(cube, {2, 1, 0})}, {"sum", cube + cube}});
    CHECK(load_safetensors<double, 3>(file.path, "t").at(3, 2, 0) == 11);
    CHECK(load_safetensors<double, 3>(file.path, "sum").at(0, 0, 1) == 2);

    const std::string odd = "a \"quoted\"\n\\name\1", gruen = "gr\xc3\xbcn \xf0\x9f\x8e\xbb";
    CHECK(load_safetensors<std::uint8_t, 1>(bytes_of(golden::safetensors_names), odd).at(0) == 0);
    CHECK(load_safetensors<std::uint8_t, 1>(bytes_of(golden::safetensors_names), gruen).at(0) == 1);
    save_safetensors(file.path, {{gruen, ones<std::uint8_t>({1})}, {odd, zeros<std::uint8_t>({1})}});
    CHECK(file.read().find(R"("a \"quoted\"\n\\name\u0001":)") != std::string::npos);  // as in the golden file
    CHECK(golden::safetensors_names.find(R"("a \"quoted\"\n\\name\u0001":)") != std::string::npos);
    CHECK(load_safetensors<std::uint8_t, 1>(file.path, odd).at(0) == 0);
    CHECK(load_safetensors<std::uint8_t, 1>(file.path, gruen).at(0) == 1);
    save_safetensors(file.path, {});
    CHECK(file.read() == golden::safetensors_none);
    CHECK(safetensors_file(file.path).arrays().empty());

    const std::string escaped =
        R"({ "\u0061\ud83C\uDFBB\/\t" : { "shape" : [ ] , "data_offsets":[0,1],"dtype":"F8_E4M3"} }  )";
    CHECK(safetensors_file(bytes_of(with_header(escaped, 1))).arrays() ==
          std::vector<array_info>{{"a\xf0\x9f\x8e\xbb/\t", "F8_E4M3", {}}});
}

TEST_CASE("safetensors: what another type, rank or name is asked of says what is there") {
    CHECK(complaint_of(golden::safetensors_types, "int8") ==
          "array 'int8' holds int8 of shape (3,), asked for float32 of rank 1");
    CHECK(complaint_of(golden::safetensors_shapes, "scalar") ==
          "array 'scalar' holds float64 of shape (), asked for float32 of rank 1");
    CHECK(complaint_of(golden::safetensors_halves, "brain") ==
          "array 'brain' holds bfloat16 of shape (2,), asked for float32 of rank 1");
    CHECK(complaint_of(golden::safetensors_shapes) == "holds no array 'a'; it holds 'cube', 'scalar', 'empty'");
    CHECK(complaint_of(with_header(R"({"a":{"dtype":"F8","shape":[1],"data_offsets":[0,1]}})", 1)) ==
          "array 'a' holds F8 of shape (1,), asked for float32 of rank 1");
}

TEST_CASE("safetensors: files that are not what their header says") {
    const std::string& good = golden::safetensors_shapes;
    for (std::size_t length = 0; length < good.size(); ++length) {
        const std::string text = complaint([&] { safetensors_file file(bytes_of(good.substr(0, length))); });
        INFO(length);
        if (length < 8) CHECK(text == "is not a .safetensors file: it has " + std::to_string(length) + " bytes");
        else
            CHECK(
                (text == "is truncated in its header" || text.find("is truncated: data_offsets") != std::string::npos));
    }
    CHECK(complaint_of("some other file's text") ==
          "is not a .safetensors file: its header would be of 7526763062174248819 bytes");
    CHECK(complaint_of(good + "x") == "has 1 bytes behind its last array");
    const std::pair<const char*, const char*> broken[] = {
        {"", "is not a .safetensors file: its header is no JSON object"},
        {"[]", "is not a .safetensors file: its header is no JSON object"},
        {" {}", "is not a .safetensors file: its header is no JSON object"},
        {"{", "has a broken header: no string at byte 1"},
        {"{}x", "has a broken header: something after the object at byte 2"},
        {R"({"a":1})", "has a broken header: no '{' at byte 5"},
        {R"({"a":{}})", "has a broken header: a missing key at byte 7"},
        {R"({"a":{},})", "has a broken header: a missing key"},
        {R"({"a":{"dtype":"F32","shape":[2]}})", "has a broken header: a missing key"},
        {R"({"a":{"dtype":"F32","dtype":"F32"}})", "has a broken header: the key 'dtype' twice"},
        {R"({"a":{"kind":"F32"}})", "has a broken header: the unknown key 'kind'"},
        {R"({"a":{"dtype":"F32","shape":[2,],"data_offsets":[0,8]}})", "has a broken header: no whole number"},
        {R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", "has a broken header: no whole number"},
        {R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", "has a broken header: no ']'"},
        {R"({"a":{"dtype":"F32","shape":[02],"data_offsets":[0,8]}})",
         "has a broken header: a number that begins with 0"},
        {R"({"a":{"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,8]}})",
         "has a broken header: a number that overflows"},
        {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0]}})", "has a broken header: no ','"},
        {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,9]}})", "has a broken header: no ']'"},
        {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},})", "has a broken header: no string"},
        {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})", "has a broken header: no '}'"},
        {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{}})", "has a broken header: the name 'a' twice"},
        {R"({"__metadata__":{"k":1}})", "has a broken header: no string"},
        {R"({"__metadata__":{"k":"1","k":"2"}})", "has a broken header: the key 'k' twice"},
        {R"({"__metadata__":{},"__metadata__":{}})", "has a broken header: the name '__metadata__' twice"},
        {R"({"\x"})", "has a broken header: an unknown escape"},
        {R"({"\u12G4"})", "has a broken header: a broken \\u escape"},
        {R"({"\udc00"})", "has a broken header: half a surrogate pair"},
        {R"({"\ud800x"})", "has a broken header: half a surrogate pair"},
        {R"({"\ud800\u0061"})", "has a broken header: half a surrogate pair"},
        {"{\"a\nb\"}", "has a broken header: a control character"},
        {"{\"ab", "has a broken header: an unfinished string"},
        {"{\"a\xff\"}", "has a broken header: no UTF-8 at byte 3"},
        {"{\"\xc0\x80\"}", "has a broken header: no UTF-8 at byte 2"},
        {"{\"\xed\xa0\x80\"}", "has a broken header: no UTF-8 at byte 2"},
        {"{\"\xf4\x90\x80\x80\"}", "has a broken header: no UTF-8 at byte 2"},
        {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", "array 'a' data_offsets [8, 0] are out of order"},
        {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,12]}})",
         "array 'a' is truncated: data_offsets [0, 12] of 8 bytes of data"},
        {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
         "array 'a' data_offsets [4, 8] leave a gap or overlap: 0 was expected"},
        {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
         "array 'b' data_offsets [0, 8] leave a gap or overlap: 4 was expected"},
        {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})",
         "array 'a' of shape (1,) and type float32 does not fill data_offsets [0, 8]"},
        {R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
         "array 'a' of shape (3,) and type float32 does not fill data_offsets [0, 8]"},
        {R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})",
         "array 'a' of shape (4611686018427387904, 4) and type float32 does not fill"},
        {R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})", "has 8 bytes behind its last array"},
    };
    for (const auto& [header, what] : broken) {
        INFO(header);
        CHECK(begins(complaint_of(with_header(header, 8)), what));
    }
}

TEST_CASE("safetensors: the saver refuses before the file is touched") {
    const files::temporary file("precious");
    const tensor<double, 1> x{1, 2};
    CHECK(complaint<value_error>([&] { save_safetensors(file.path, {{"x", x}, {"x", x}}); }) ==
          "[save_safetensors] two arrays named 'x'");
    CHECK(complaint<value_error>([&] { save_safetensors(file.path, {{"__metadata__", x}}); }) ==
          "[save_safetensors] '__metadata__' cannot be an array's name");
    CHECK(complaint<value_error>([&] { save_safetensors(file.path, {{"z", zeros<std::complex<double>>({2})}}); }) ==
          "[save_safetensors] array 'z' is complex128, which .safetensors files cannot hold");
    CHECK(complaint<value_error>([&] { save_safetensors(file.path, {{"\xff", x}}); }) ==
          "[save_safetensors] a name or metadata is not UTF-8: {\"...");
    CHECK(complaint<value_error>([&] { save_safetensors(file.path, {{"x", x}}, {{"k", "\xe2\x82"}}); }) ==
          "[save_safetensors] a name or metadata is not UTF-8: {\"__metadata__\":{\"k\":\"...");
    CHECK(file.read() == "precious");
    CHECK(complaint([&] { save_safetensors("/dev/full", {{"x", x}}); }) ==
          "cannot be written: No space left on device");
    CHECK(begins(complaint([&] { load_safetensors<double, 1>("/nonexistent/x", "x"); }), "cannot be opened: "));
}
