// load_csv and save_csv: numbers of every type, layouts, options, and every way in which a table can be wrong.
#include <ricci/io/csv.hpp>
#include <ricci/ricci.hpp>

#include <limits>

#include "files.hpp"

using namespace ricci;
using namespace std::string_literals;
using files::bytes_of, files::complaint;

namespace {

template <class T = double>
tensor<T, 2> parsed(const std::string& text, const csv_options& options = {}) {
    return load_csv<T>(bytes_of(text), options);
}
template <class T = double>
std::string complaint_of(const std::string& text, const csv_options& options = {}) {
    return complaint([&] { parsed<T>(text, options); });
}
/// What a table of one number reads as.
template <class T>
T one(const std::string& text) {
    return parsed<T>(text).item();
}
template <class T>
void check_round_trip(const tensor<T, 2>& x) {
    const files::temporary file;
    save_csv(file.path, x);
    const auto back = load_csv<T>(file.path);
    REQUIRE(back.shape() == x.shape());
    CHECK(std::memcmp(back.data(), x.data(), static_cast<std::size_t>(x.size()) * sizeof(T)) == 0);
}

}  // namespace

TEST_CASE("csv: tables") {
    for (const char* text : {"1,2,3\n4,5,6\n", "1,2,3\n4,5,6", "1,2,3\r\n4,5,6\r\n", "1,2,3\r4,5,6",
                             "\n 1 ,\t2,3 \n\n4,5,6\n  \n", "# a head\n1,2,3 # one\n4,5,6",
                             "\xef\xbb\xbf"
                             "1,2,3\n4,5,6",
                             "\"1\",\"2\",3\n\"4\" , 5,\"6\"\n"}) {
        INFO(text);
        const auto x = parsed(text);
        REQUIRE(x.shape() == shape<2>{2, 3});
        for (index_t i = 0; i < 6; ++i) CHECK(x.data()[i] == static_cast<double>(i + 1));
    }
    CHECK(parsed("").shape() == shape<2>{0, 0});
    CHECK(parsed("# nothing\n\n").shape() == shape<2>{0, 0});
    CHECK(parsed("7").shape() == shape<2>{1, 1});
}

TEST_CASE("csv: options") {
    const std::string text = "name,x,y\n\"Smith, \"\"J\"\"\",1,2\nDoe,3,4\n";
    auto x = parsed(text, {.skip_rows = 1, .columns = {-1, 1, 1}});
    REQUIRE(x.shape() == shape<2>{2, 3});
    CHECK(x.at(0, 0) == 2);
    CHECK(x.at(0, 1) == 1);
    CHECK(x.at(1, 2) == 3);
    for (const auto& [line, delimiter] :
         {std::pair{"1;2;3", ';'}, {"1\t2\t3", '\t'}, {" 1  2 \t 3 ", ' '}, {"\"1\" \"2\"  3", ' '}, {"1|2|3", '|'}}) {
        INFO(line);
        x = parsed(line, {.delimiter = delimiter});
        REQUIRE(x.shape() == shape<2>{1, 3});
        CHECK(x.at(0, 2) == 3);
    }
    x = parsed("1,,3\n,5,\n", {.missing = -1});
    CHECK(x.at(0, 1) == -1);
    CHECK(x.at(1, 0) == -1);
    CHECK(x.at(1, 2) == -1);
    x = parsed("\t5\t\n1\t\t3\n", {.delimiter = '\t', .missing = 0.5});
    REQUIRE(x.shape() == shape<2>{2, 3});
    CHECK(x.at(0, 0) == 0.5);
    CHECK(x.at(0, 2) == 0.5);
    CHECK(parsed<std::int32_t>("1,,3", {.missing = 9}).at(0, 1) == 9);
    CHECK(parsed<std::int32_t>("1,nan,3", {.missing = 9}).at(0, 1) == 9);
    CHECK(complaint<value_error>([] { parsed<std::int32_t>("1,,3", {.missing = std::nan("")}); }) ==
          "[load_csv] the option .missing, nan, is no int32");
    CHECK(complaint<value_error>([] { parsed<std::uint8_t>("1,,3", {.missing = -1}); }) ==
          "[load_csv] the option .missing, -1, is no uint8");
    CHECK(parsed<std::uint8_t>("1,,3", {.missing = 255}).at(0, 1) == 255);
    CHECK(parsed<bool>("TRUE,FALSE").at(0, 0));
    CHECK(std::isnan(parsed("1,nan,3", {.missing = 9}).at(0, 1)));
    x = parsed("NA, N/A ,n/a,<NA>\n\"NULL\",null,None,-nan\n", {.missing = 7});
    REQUIRE(x.shape() == shape<2>{2, 4});
    CHECK(count_nonzero(x == 7.0) == 7);
    CHECK(array_equal(parsed("1,#N/A,3 # NA\n#N/A,2,#\n", {.missing = 7}), tensor<double, 2>{{1, 7, 3}, {7, 2, 7}}));
    CHECK(std::isnan(x.at(1, 3)));
    CHECK(complaint_of("1,NA\n") ==
          "line 1, column 1: 'NA' is no float64: the option .missing says what it stands for");
    CHECK(complaint_of("1,NAN4\n", {.missing = 0}) == "line 1, column 1: 'NAN4' is no float64");
    CHECK(parsed("% no\n1,2", {.comment = '%'}).shape() == shape<2>{1, 2});
    CHECK(complaint_of("# no\n1,2", {.comment = '\0'}) == "line 2 has 2 fields, the first one 1");
}

TEST_CASE("csv: numbers") {
    constexpr double inf = std::numeric_limits<double>::infinity();
    CHECK(one<double>("+1.5e3") == 1500);
    CHECK(one<double>(".5") == 0.5);
    CHECK(one<double>("5.") == 5);
    CHECK(one<double>("0.1") == 0.1);
    CHECK(one<double>("2.2250738585072011e-308") == 2.2250738585072011e-308);
    CHECK(one<double>("4.9e-324") == 4.9e-324);
    CHECK(one<double>("-inf") == -inf);
    CHECK(one<double>("Infinity") == inf);
    CHECK(std::isnan(one<double>("NaN")));
    CHECK(one<double>("1e999") == inf);
    CHECK(one<double>("-1e999") == -inf);
    CHECK(one<double>("1e-999") == 0);
    CHECK(std::signbit(one<double>("-1e-999")));
    CHECK(one<double>("0." + std::string(400, '0') + "1") == 0);
    CHECK(one<double>("1" + std::string(400, '0')) == inf);
    CHECK(one<double>("1" + std::string(400, '0') + "e-50") == inf);
    CHECK(one<double>("0." + std::string(400, '0') + "1e+50") == 0);
    CHECK(one<float>("1e-50") == 0);
    CHECK(one<float>("1e50") == std::numeric_limits<float>::infinity());
    CHECK(one<float>("1.00000017881393432617187499") ==
          0x1.000002p0f);  // below the tie that a double would round it to
    CHECK(one<std::int8_t>("-128") == -128);
    CHECK(one<std::uint64_t>("18446744073709551615") == 18446744073709551615u);
    CHECK(one<std::int64_t>("+9") == 9);
    CHECK(one<bool>("True"));
    CHECK(!one<bool>("0"));
    using complex = std::complex<double>;
    CHECK(one<complex>("(1+2j)") == complex(1, 2));
    CHECK(one<complex>("1e+3-2e-3j") == complex(1000, -0.002));
    CHECK(one<complex>("-1.5") == complex(-1.5, 0));
    CHECK(one<complex>("-2i") == complex(0, -2));
    CHECK(one<complex>(" (1.000e+00+-2.500e+00j)") == complex(1, -2.5));  // as numpy.savetxt writes
}

TEST_CASE("csv: what is saved comes back") {
    const double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
    check_round_trip(tensor<double, 2>{{0.1, -0.0, 1e300}, {least, most, 1.0 / 3}});
    check_round_trip(tensor<float, 2>{{0.1f, 1e-45f}, {3.4028235e38f, 16777216.f}});
    check_round_trip(tensor<std::int64_t, 2>{{std::numeric_limits<std::int64_t>::min(), 5}});
    check_round_trip(tensor<std::uint8_t, 2>{{0}, {255}});
    check_round_trip(tensor<bool, 2>{{true, false}});
    check_round_trip(tensor<std::complex<double>, 2>{{{1, -2}, {-0.0, 1e-9}}, {{1e30, 0}, {0, -1e300}}});
    check_round_trip(tensor<double, 2>(rand<double>({3000, 7}, generator(1))));

    const files::temporary file;
    const tensor<double, 2> x{{1, 2.5}, {3, std::numeric_limits<double>::quiet_NaN()}};
    save_csv(file.path, permute(x, {1, 0}), {.delimiter = ';', .header = "a;b"});
    CHECK(file.read() == "a;b\n1;3\n2.5;nan\n");
    save_csv(file.path, x(all, 0) * 2);
    CHECK(file.read() == "2\n6\n");
    save_csv(file.path, tensor<std::complex<float>, 1>{{1, -2}, {0, 3}});
    CHECK(file.read() == "(1-2j)\n(0+3j)\n");
    save_csv(file.path, zeros<double>({0, 3}));
    CHECK(file.read().empty());
    CHECK(load_csv<double>(file.path).shape() == shape{0, 0});
    save_csv(file.path, zeros<double>({0, 3}), {.header = "a,b,c"});  // as pandas.read_csv has it
    CHECK(load_csv<double>(file.path, {.skip_rows = 1}).shape() == shape{0, 3});
    CHECK(load_csv<double>(file.path, {.skip_rows = 1, .columns = {0, -1}}).shape() == shape{0, 2});
}

TEST_CASE("csv: tables that are wrong") {
    CHECK(complaint_of("1,2\n3\n") == "line 2 has 1 fields, the first one 2");
    CHECK(complaint_of("1,2\n\n# c\n3,4,5\n") == "line 4 has 3 fields, the first one 2");
    CHECK(complaint_of("1,x\n") == "line 1, column 1: 'x' is no float64");
    CHECK(complaint_of("1,\n") == "line 1, column 1: '' is no float64: the option .missing says what it stands for");
    CHECK(complaint_of("1 2\n") == "line 1, column 0: '1 2' is no float64");
    for (const char* bad : {"1,5e", "1,0x10", "1,1_000", "1,--1", "1,+-1", "1,1e5.5", "1,\"1", "1,\"1\"2", "1,1.5j"}) {
        INFO(bad);
        CHECK(complaint_of(bad) == "line 1, column 1: '" + std::string(bad).substr(2) + "' is no float64");
    }
    for (const char* bad : {"1.0", "128", "-129", "1e1", "0x1", "+-1"})
        CHECK(complaint_of<std::int8_t>("0\n#\n"s + bad) == "line 3, column 0: '" + std::string(bad) + "' is no int8");
    CHECK(complaint_of<std::int8_t>("0\n\"\"") ==
          "line 2, column 0: '' is no int8: the option .missing says what it stands for");
    CHECK(complaint_of<std::uint8_t>("-1") == "line 1, column 0: '-1' is no uint8");
    CHECK(complaint_of<bool>("2") == "line 1, column 0: '2' is no bool");
    CHECK(complaint_of<std::complex<float>>("1+2") == "line 1, column 0: '1+2' is no complex64");
    CHECK(complaint_of<std::complex<float>>("1+j") == "line 1, column 0: '1+j' is no complex64");
    CHECK(complaint_of<std::complex<float>>("()") == "line 1, column 0: '()' is no complex64");
    CHECK(complaint_of("1,2", {.columns = {2}}) == "has no column 2: it has 2");
    CHECK(complaint_of("1,2", {.columns = {-3}}) == "has no column -3: it has 2");
    CHECK(complaint<value_error>([] { parsed("1", {.delimiter = '"'}); }) ==
          "[load_csv] the character of code 34 cannot be the delimiter");

    const files::temporary file("precious");
    const tensor<double, 1> x{1, 2};
    CHECK(complaint<value_error>([&] { save_csv(file.path, x, {.delimiter = '1'}); }) ==
          "[save_csv] the character of code 49 cannot be the delimiter");
    CHECK(file.read() == "precious");
    CHECK(complaint([&] { save_csv("/dev/full", x); }) == "cannot be written: No space left on device");
    CHECK(files::begins(complaint([&] { load_csv<double>("/nonexistent/x.csv"); }), "cannot be opened: "));
    CHECK_THROWS_WITH_AS(load_csv<double>("/"), "[load_csv] '/' cannot be read: Is a directory", io_error);
}
