// Fuzzes the reader of .png files.
#include <ricci/io/png.hpp>

#include "../golden/png.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    using namespace golden;
    fuzz::write_seeds(*argc, *argv,
                      {png_grey, png_grey_alpha, png_rgb, png_rgba, png_grey_16, png_rgb_16, png_palette, png_bits,
                       png_transparent, png_interlaced, png_huge, png_short});
    return 0;
}
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ricci;
    const byte_source source(fuzz::bytes(data, size));
    fuzz::attempt([&] { load_png<std::uint8_t, 3>(source); });
    fuzz::attempt([&] { load_png<std::uint16_t, 2>(source); });
    fuzz::attempt([&] { load_png<float, 3>(source); });
    return 0;
}
