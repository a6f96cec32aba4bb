// Fuzzes the readers of .npz and .npy files.
#include <ricci/io/any.hpp>
#include <ricci/io/npz.hpp>

#include "../golden/npy.hpp"
#include "../golden/npz.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    using namespace golden;
    fuzz::write_seeds(
        *argc, *argv,
        {npz_stored, npz_deflated, npz_streamed, npz_streamed_deflated, npz_zip64, npz_other_content, npz_empty,
         npy_float64, npy_int16_big, npy_complex64_big, npy_fortran, npy_version_2, npy_record, npy_text});
    return 0;
}
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ricci;
    const byte_source source(fuzz::bytes(data, size));
    fuzz::attempt([&] { load_npy_any<2>(source); });
    fuzz::attempt([&] {
        npz_file file(source);
        for (const array_info& info : file.arrays()) {
            fuzz::attempt([&] {
                const auto x = file.load<double, 2>(info.name);
                fuzz::require(info.dtype == "float64" && info.shape.size() == 2 && x.shape(1) == info.shape[1]);
            });
            fuzz::attempt([&] { file.load<bool, 1>(info.name); });
        }
    });
    fuzz::attempt([&] { load_npz<double, 2>(source, "a"); });
    return 0;
}
