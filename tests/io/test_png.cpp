// load_png and save_png: Pillow's images, round trips, and every way in which an image can be wrong. Needs
// RICCI_USE_PNG.
#include <ricci/io/png.hpp>
#include <ricci/ricci.hpp>

#include <limits>

#include "../golden/png.hpp"
#include "files.hpp"

using namespace ricci;
using files::begins, files::bytes_of, files::complaint;

namespace {

template <class T>
void check_golden(const std::string& bytes, int channels, int step) {
    const auto x = load_png<T, 3>(bytes_of(bytes));
    REQUIRE(x.shape() == shape<3>{3, 4, channels});
    for (index_t i = 0; i < x.size(); ++i) CHECK(x.data()[i] == static_cast<T>(step * i));
    const files::temporary file;
    save_png(file.path, x);
    const auto back = load_png<T, 3>(file.path);
    CHECK(all(back == x).item());
}
std::string complaint_of(const std::string& bytes) {
    return complaint([&] { load_png<std::uint8_t, 3>(bytes_of(bytes)); });
}

}  // namespace

TEST_CASE("png: Pillow's images and those of others, and round trips") {
    check_golden<std::uint8_t>(golden::png_grey, 1, 20);
    check_golden<std::uint8_t>(golden::png_grey_alpha, 2, 20);
    check_golden<std::uint8_t>(golden::png_rgb, 3, 20);
    check_golden<std::uint8_t>(golden::png_rgba, 4, 20);
    check_golden<std::uint16_t>(golden::png_grey_16, 1, 5000);
    check_golden<std::uint16_t>(golden::png_rgb_16, 3, 5000);
    check_golden<std::uint8_t>(golden::png_palette, 3, 20);

    const auto grey = load_png<std::uint8_t, 2>(bytes_of(golden::png_grey));
    CHECK(grey.shape() == shape<2>{3, 4});
    CHECK(grey.at(1, 0) == 80);
    const auto bits = load_png<std::uint8_t, 2>(bytes_of(golden::png_bits));
    CHECK(all(bits == tensor<std::uint8_t, 2>{{255, 0, 255, 255}, {0, 255, 0, 255}, {255, 255, 255, 255}}).item());
    const auto transparent = load_png<std::uint8_t, 3>(bytes_of(golden::png_transparent));
    REQUIRE(transparent.shape() == shape<3>{3, 4, 2});
    CHECK(transparent.at(0, 2, 1) == 0);
    CHECK(transparent.at(0, 3, 1) == 255);
    const auto interlaced = load_png<std::uint8_t, 2>(bytes_of(golden::png_interlaced));
    CHECK(all(interlaced == tensor<std::uint8_t, 2>{{10, 20}, {30, 40}}).item());
}

TEST_CASE("png: floating-point images go from 0 to 1") {
    const auto x = load_png<double, 3>(bytes_of(golden::png_rgb));
    CHECK(x.at(0, 0, 1) == 20.0 / 255);
    CHECK(load_png<float, 3>(bytes_of(golden::png_rgb)).at(0, 0, 1) == 20.0f / 255.0f);
    CHECK(load_png<float, 2>(bytes_of(golden::png_grey_16)).at(0, 1) == 5000.0f / 65535.0f);

    const files::temporary file;
    const double inf = std::numeric_limits<double>::infinity();
    const tensor<double, 2> values{{0, 1, 0.5, 0.25, -1, 2, inf, -inf}};
    save_png(file.path, values);
    CHECK(
        all(load_png<std::uint8_t, 2>(file.path) == tensor<std::uint8_t, 2>{{0, 255, 128, 64, 0, 255, 255, 0}}).item());
    save_png(file.path, values, {.bits = 16});
    CHECK(all(load_png<std::uint16_t, 2>(file.path) ==
              tensor<std::uint16_t, 2>{{0, 65535, 32768, 16384, 0, 65535, 65535, 0}})
              .item());
    const auto levels = reshape(arange<float>(256), {16, 16}) / 255.0f;
    for (const int level : {0, 9}) {
        save_png(file.path, levels, {.level = level});
        CHECK(all(load_png<float, 2>(file.path) == levels).item());
    }
    save_png(file.path, permute(tensor<std::uint8_t, 2>{{1, 2, 3}, {4, 5, 6}}, {1, 0}));
    CHECK(load_png<std::uint8_t, 2>(file.path).at(2, 1) == 6);
}

TEST_CASE("png: what another type or rank is asked of says what it holds") {
    CHECK(complaint([] { load_png<std::uint16_t, 3>(bytes_of(golden::png_rgb)); }) ==
          "holds uint8 of shape (3, 4, 3), asked for uint16 of rank 3");
    CHECK(complaint([] { load_png<std::uint8_t, 2>(bytes_of(golden::png_grey_16)); }) ==
          "holds uint16 of shape (3, 4), asked for uint8 of rank 2");
    CHECK(complaint([] { load_png<float, 2>(bytes_of(golden::png_grey_alpha)); }) ==
          "holds uint8 of shape (3, 4, 2), asked for float32 of rank 2");
}

TEST_CASE("png: broken images") {
    CHECK(complaint_of("") == "is not a .png file");
    CHECK(complaint_of("GIF89a and so on") == "is not a .png file");
    for (const std::string& good : {golden::png_rgb, golden::png_interlaced, golden::png_palette})
        for (std::size_t length = 0; length < good.size(); ++length) {
            const std::string text = complaint_of(good.substr(0, length));
            CHECK(text == (length < 8 ? "is not a .png file" : "is a broken .png file: it ends early"));
        }
    // a byte that is wrong is noticed by a checksum, wherever it is
    for (std::size_t at = 0; at < golden::png_rgb.size(); ++at) {
        std::string bytes = golden::png_rgb;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
        INFO(at);
        CHECK(complaint_of(bytes) != "no error");
    }
    CHECK(complaint_of(golden::png_huge) == "is a broken .png file: it is too short for its size");
    CHECK(complaint_of(golden::png_short) == "is a broken .png file: Not enough image data");
}

TEST_CASE("png: the saver refuses before the file is touched") {
    const files::temporary file("precious");
    const auto refused = [&](const auto& x, png_options options = {}) {
        return complaint<value_error>([&] { save_png(file.path, x, options); });
    };
    CHECK(refused(zeros<float>({2, 3, 5})) ==
          "[save_png] an array of shape (2, 3, 5) is no image: height x width, x 1 to 4");
    CHECK(refused(zeros<float>({2, 3, 0})) ==
          "[save_png] an array of shape (2, 3, 0) is no image: height x width, x 1 to 4");
    CHECK(refused(zeros<std::uint8_t>({0, 3})) ==
          "[save_png] an array of shape (0, 3) is no image: height x width, x 1 to 4");
    CHECK(refused(tensor<double, 2>{{0, std::nan("")}}) == "[save_png] element 1 is NaN");
    CHECK(refused(zeros<float>({1, 1}), {.bits = 12}) == "[save_png] 12 bits: 8 and 16 are known");
    CHECK(refused(zeros<float>({1, 1}), {.level = 10}) == "[save_png] level 10 is not in 0 to 9");
    CHECK(file.read() == "precious");
    CHECK(complaint([&] { save_png("/dev/full", rand<float>({100, 1000}, generator(1))); }) ==
          "cannot be written: No space left on device");
    CHECK(begins(complaint([&] { load_png<float, 2>("/nonexistent/x.png"); }), "cannot be opened: "));
}
