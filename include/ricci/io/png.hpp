// .png images: load_png, save_png. Needs libpng: RICCI_USE_PNG (CMake: ricci::png).
#pragma once
#include <new>

#include "stored_array.hpp"

#if defined(RICCI_USE_PNG)
#include <png.h>
#endif

namespace ricci {

/// How save_png writes.
struct png_options {
    int bits = 8;   // of a channel, 8 or 16, that floating-point images are rounded to; others have those of their type
    int level = 6;  // of compression, 0 to 9
};

namespace detail {

#if defined(RICCI_USE_PNG)
inline constexpr bool has_png = true;
#else
inline constexpr bool has_png = false;
#endif

/// Types that a channel of an image may have: numbers of 8 or 16 bits, or floating-point ones from 0 to 1.
template <class T>
concept png_element =
    storable<T> && (stored_dtype_of<T>() == stored_dtype{'u', 1} || stored_dtype_of<T>() == stored_dtype{'u', 2} ||
                    stored_dtype_of<T>().kind == 'f' || stored_dtype_of<T>().kind == 'B');

struct png_size {
    index_t height = 0, width = 0;
    int channels = 0, bits = 0;
};

#if defined(RICCI_USE_PNG)

// libpng leaves by longjmp where it fails, which must not pass by a destructor: what runs under `guarded` has none.
struct png_failure {
    char text[128] = {};

    static void raise(png_structp png, png_const_charp why) {
        auto& self = *static_cast<png_failure*>(png_get_error_ptr(png));
        std::strncpy(self.text, why, sizeof self.text - 1);
        png_longjmp(png, 1);
    }
    static void ignore(png_structp, png_const_charp) {}

    /// Whether body(context) came to its end.
    template <class Context>
    static RICCI_NOINLINE bool guarded(png_structp png, void (*body)(Context&), Context& context) {
        if (setjmp(png_jmpbuf(png))) return false;
        body(context);
        return true;
    }
};

/// Reads an image: the constructor what it is, `read` its pixels. Palettes are looked up, fewer than 8 bits spread to
/// 8, and a transparent colour becomes an alpha channel.
class png_decoder {
    const input_file& file_;
    std::string bytes_;
    std::size_t at_ = 0;
    png_failure failure_;
    png_structp png_;
    png_infop info_ = nullptr;
    png_size size_;
    png_bytepp rows_ = nullptr;

    static void feed(png_structp png, png_bytep to, std::size_t bytes) {
        auto& self = *static_cast<png_decoder*>(png_get_io_ptr(png));
        if (bytes > self.bytes_.size() - self.at_) png_error(png, "it ends early");
        std::memcpy(to, self.bytes_.data() + self.at_, bytes);
        self.at_ += bytes;
    }
    static void start(png_decoder& self) {
        png_structp png = self.png_;
        self.info_ = png_create_info_struct(png);
        if (!self.info_) png_error(png, "no memory");
        png_set_read_fn(png, &self, feed);
        png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
        png_read_info(png, self.info_);
        // what is stored, before anything is made of it, cannot be more than deflate can stand for
        const double stored =
            static_cast<double>(png_get_rowbytes(png, self.info_)) * png_get_image_height(png, self.info_);
        if (stored > 1032.0 * static_cast<double>(self.bytes_.size())) png_error(png, "it is too short for its size");
        const int type = png_get_color_type(png, self.info_);
        if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
        if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png);
        if (png_get_valid(png, self.info_, PNG_INFO_tRNS)) png_set_tRNS_to_alpha(png);
        if (std::endian::native == std::endian::little) png_set_swap(png);
        png_set_interlace_handling(png);
        png_read_update_info(png, self.info_);
        self.size_ = {static_cast<index_t>(png_get_image_height(png, self.info_)),
                      static_cast<index_t>(png_get_image_width(png, self.info_)), png_get_channels(png, self.info_),
                      png_get_bit_depth(png, self.info_)};
    }
    static void read_rows(png_decoder& self) {
        png_read_image(self.png_, self.rows_);
        png_read_end(self.png_, nullptr);
    }
    void run(void (*body)(png_decoder&)) {
        if (png_failure::guarded(png_, body, *this)) return;
        const std::string why = failure_.text;
        file_.fail(" is a broken .png file: " + why);
    }

   public:
    explicit png_decoder(input_file& file)
        : file_(file),
          png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure_, png_failure::raise, png_failure::ignore)) {
        if (!png_) throw std::bad_alloc();
        try {
            bytes_ = file.read_text(file.size(), "data");
            if (bytes_.compare(0, 8, "\x89PNG\r\n\x1a\n") != 0) file.fail(" is not a .png file");
            run(start);
        } catch (...) {
            png_destroy_read_struct(&png_, &info_, nullptr);
            throw;
        }
    }
    ~png_decoder() { png_destroy_read_struct(&png_, &info_, nullptr); }
    png_decoder(const png_decoder&) = delete;
    png_decoder& operator=(const png_decoder&) = delete;

    const png_size& size() const { return size_; }
    /// Writes rows of pixels of one or two bytes a channel.
    void read(void* to) {
        const std::size_t bytes = png_get_rowbytes(png_, info_);
        std::vector<png_bytep> rows;
        for (index_t i = 0; i < size_.height; ++i)
            rows.push_back(static_cast<png_bytep>(to) + static_cast<std::size_t>(i) * bytes);
        rows_ = rows.data();
        run(read_rows);
    }
};

class png_encoder {
    output_file& file_;
    png_failure failure_;
    png_structp png_;
    png_infop info_ = nullptr;
    png_size size_;
    const unsigned char* pixels_;
    int level_;
    bool disk_failed_ = false;

    static void drain(png_structp png, png_bytep from, std::size_t bytes) {
        auto& self = *static_cast<png_encoder*>(png_get_io_ptr(png));
        self.disk_failed_ = !self.file_.try_write(from, bytes);
        if (self.disk_failed_) png_error(png, "");
    }
    static void flush(png_structp) {}
    static void write_all(png_encoder& self) {
        constexpr int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                 PNG_COLOR_TYPE_RGB_ALPHA};
        png_structp png = self.png_;
        const png_size& size = self.size_;
        self.info_ = png_create_info_struct(png);
        if (!self.info_) png_error(png, "no memory");
        png_set_write_fn(png, &self, drain, flush);
        png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
        png_set_compression_level(png, self.level_);
        png_set_IHDR(png, self.info_, static_cast<png_uint_32>(size.width), static_cast<png_uint_32>(size.height),
                     size.bits, types[size.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
        png_write_info(png, self.info_);
        if (size.bits == 16 && std::endian::native == std::endian::little) png_set_swap(png);
        const index_t row = size.width * size.channels * (size.bits / 8);
        for (index_t i = 0; i < size.height; ++i) png_write_row(png, self.pixels_ + i * row);
        png_write_end(png, self.info_);
    }

   public:
    png_encoder(output_file& file, const png_size& size, const void* pixels, int level)
        : file_(file),
          png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure_, png_failure::raise, png_failure::ignore)),
          size_(size),
          pixels_(static_cast<const unsigned char*>(pixels)),
          level_(level) {
        if (!png_) throw std::bad_alloc();
    }
    ~png_encoder() { png_destroy_write_struct(&png_, &info_); }
    png_encoder(const png_encoder&) = delete;
    png_encoder& operator=(const png_encoder&) = delete;

    void write() {
        if (png_failure::guarded(png_, write_all, *this)) return;
        if (disk_failed_) file_.fail_write();
        file_.fail(std::string(": libpng failed: ") + failure_.text);
    }
};

#endif

template <class T, int R>
tensor<T, R> pixels_for(const png_size& size) {
    shape<R> extents;
    extents[0] = size.height;
    extents[1] = size.width;
    if constexpr (R == 3) extents[2] = size.channels;
    return tensor<T, R>::uninitialized(extents);
}
template <class Level, class T, int R>
void unit_to_levels(const tensor<const T, R>& x, Level* out) {
    constexpr double most = std::numeric_limits<Level>::max();
    for (index_t i = 0; i < x.size(); ++i) {
        const auto value = static_cast<double>(x.data()[i]);
        out[i] = static_cast<Level>(value <= 0 ? 0 : value >= 1 ? most : value * most + 0.5);
    }
}

}  // namespace detail

/// Reads an image as height x width x channels (1 grey, 2 grey and alpha, 3 red, green, blue, 4 those and alpha), or,
/// of rank 2, a grey one as height x width. uint8 and uint16 are the file's own numbers, of a file of as many bits;
/// floating-point types are these divided by 255 or 65535, so from 0 to 1. Palettes are looked up; gamma and colour
/// profiles are not applied. Throws io_error, saying what the file holds, when that is something else, and when the
/// file is broken.
template <class T, int R>
tensor<T, R> load_png([[maybe_unused]] const byte_source& from) {
    static_assert(detail::has_png || always_false<T>,
                  "ricci: load_png needs libpng: define RICCI_USE_PNG (CMake: link ricci::png)");
    static_assert(detail::png_element<T>, "ricci: images are of uint8, uint16 or a floating type");
    static_assert(R == 2 || R == 3, "ricci: images are of rank 2 (grey) or 3 (height x width x channels)");
#if defined(RICCI_USE_PNG)
    detail::input_file file("load_png", from);
    detail::png_decoder image(file);
    const detail::png_size& size = image.size();
    constexpr bool scaled = detail::stored_dtype_of<T>().kind != 'u';
    if ((R == 2 && size.channels != 1) || (!scaled && size.bits != 8 * static_cast<int>(sizeof(T)))) {
        std::vector<index_t> extents{size.height, size.width};
        if (size.channels > 1) extents.push_back(size.channels);
        file.fail(detail::mismatch_text(size.bits == 8 ? "uint8" : "uint16", extents, dtype_name<T>(), R));
    }
    const auto pixels = detail::pixels_for<T, R>(size);
    if constexpr (!scaled) image.read(pixels.data());
    else {
        const auto divide = [&]<class Level>(const tensor<Level, R>& levels) {
            image.read(levels.data());
            for (index_t i = 0; i < levels.size(); ++i)  // in float, and so in double, correctly rounded
                pixels.data()[i] =
                    static_cast<T>(static_cast<double>(levels.data()[i]) / std::numeric_limits<Level>::max());
        };
        if (size.bits == 8) divide(detail::pixels_for<std::uint8_t, R>(size));
        else divide(detail::pixels_for<std::uint16_t, R>(size));
    }
    return pixels;
#else
    return {};
#endif
}
template <class T = void>
auto load_png(const byte_source&) {
    static_assert(always_false<T>,
                  "ricci: load_png is told type and rank: load_png<double, 3>(path), of grey images 2");
}

/// Writes an image of height x width (grey) or height x width x channels (1 to 4, see load_png). uint8 and uint16 are
/// written as they are; floating-point numbers, which go from 0 to 1, are clamped to that and multiplied by 255 (by
/// 65535 with {.bits = 16}) and rounded. Throws value_error for NaN and for shapes that are no image's, before the file
/// is opened; io_error when it cannot be written.
template <expression E>
void save_png([[maybe_unused]] const std::string& path, [[maybe_unused]] const E& e,
              [[maybe_unused]] const png_options& options = {}) {
    using T = value_type_t<E>;
    constexpr int R = rank_v<E>;
    static_assert(detail::has_png || always_false<E>,
                  "ricci: save_png needs libpng: define RICCI_USE_PNG (CMake: link ricci::png)");
    static_assert(detail::png_element<T>, "ricci: images are of uint8, uint16 or a floating type");
    static_assert(R == 2 || R == 3, "ricci: images are of rank 2 (grey) or 3 (height x width x channels)");
#if defined(RICCI_USE_PNG)
    const auto value = detail::row_major_value(e);
    constexpr bool scaled = detail::stored_dtype_of<T>().kind != 'u';
    constexpr index_t most = 0x7fffffff;
    const detail::png_size size{value.shape()[0], value.shape()[1], R == 3 ? static_cast<int>(value.shape()[R - 1]) : 1,
                                scaled ? options.bits : 8 * static_cast<int>(sizeof(T))};
    if (value.size() == 0 || size.height > most || size.width > most || (R == 3 && value.shape()[R - 1] > 4))
        detail::raise<value_error>(
            {"[save_png] an array of shape ", value.shape(), " is no image: height x width, x 1 to 4"});
    if (size.bits != 8 && size.bits != 16)
        detail::raise<value_error>({"[save_png] ", size.bits, " bits: 8 and 16 are known"});
    if (options.level < 0 || options.level > 9)
        detail::raise<value_error>({"[save_png] level ", options.level, " is not in 0 to 9"});

    std::vector<std::uint16_t> levels;
    const void* pixels = value.data();
    if constexpr (scaled) {
        for (index_t i = 0; i < value.size(); ++i)
            if (value.data()[i] != value.data()[i]) detail::raise<value_error>({"[save_png] element ", i, " is NaN"});
        levels.resize(static_cast<std::size_t>(value.size()));
        if (size.bits == 16) detail::unit_to_levels(value, levels.data());
        else detail::unit_to_levels(value, reinterpret_cast<unsigned char*>(levels.data()));
        pixels = levels.data();
    }
    detail::output_file file("save_png", path);
    detail::png_encoder(file, size, pixels, options.level).write();
    file.close();
#endif
}
template <expression E, class... More>
void save_png(const E&, const byte_source&, const More&...) {
    static_assert(always_false<E>, "ricci: the path comes first: save_png(\"x.png\", x)");
}

}  // namespace ricci
