// Fuzzes the reader of .csv files; the first byte chooses options.
#include <ricci/io/csv.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    using namespace std::string_literals;
    fuzz::write_seeds(*argc, *argv,
                      {"0"
                       "1,2,3\n4,5,6\n"s,
                       "1"
                       "1;2;3\r\n;5;\r"s,
                       "2"
                       " 1  2\t3 # x\n\n4 5 6"s,
                       "3"
                       "\"1\"\t\"\"\t2\n"s,
                       "4"
                       "(1+2j),-1e5-.5e-3i\n1,2"s,
                       "0"
                       "inf,-nan,1e999\n0.1,1e-999,-.0"s,
                       "5"
                       "name,\"x, \"\"y\"\"\",2\n"s});
    return 0;
}
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ricci;
    if (size == 0) return 0;
    const byte_source source(fuzz::bytes(data + 1, size - 1));
    csv_options options;
    options.delimiter = ",; \t,,"[data[0] % 6];
    options.skip_rows = data[0] % 7 == 5;
    if (data[0] % 5 == 1) options.missing = 1;
    if (data[0] % 6 == 5) options.columns = {-1, 0};
    fuzz::attempt([&] {
        const auto x = load_csv<double>(source, options);
        fuzz::require(static_cast<std::size_t>(x.shape(0)) <= size);
    });
    fuzz::attempt([&] { load_csv<float>(source, options); });
    fuzz::attempt([&] { load_csv<std::int8_t>(source, options); });
    fuzz::attempt([&] { load_csv<std::complex<double>>(source, options); });
    return 0;
}
