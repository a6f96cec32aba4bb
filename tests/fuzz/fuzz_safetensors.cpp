// Fuzzes the reader of .safetensors files.
#include <ricci/io/safetensors.hpp>

#include "../golden/safetensors.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    using namespace golden;
    fuzz::write_seeds(*argc, *argv,
                      {safetensors_types, safetensors_halves, safetensors_shapes, safetensors_names, safetensors_none});
    return 0;
}
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ricci;
    fuzz::attempt([&] {
        safetensors_file file(fuzz::bytes(data, size));
        std::size_t total = 0;
        for (const array_info& info : file.arrays()) {
            fuzz::attempt([&] { total += static_cast<std::size_t>(file.load<double, 3>(info.name).size()) * 8; });
            fuzz::attempt([&] { total += static_cast<std::size_t>(file.load<bool, 1>(info.name).size()); });
            fuzz::attempt(
                [&] { total += static_cast<std::size_t>(file.load<std::complex<float>, 1>(info.name).size()) * 8; });
        }
        fuzz::require(total <= size);  // arrays do not overlap
    });
    return 0;
}
