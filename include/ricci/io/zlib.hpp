// Deflate, by zlib: RICCI_USE_ZLIB (CMake: ricci::zlib). Without it compressed data is refused.
#pragma once
#include <new>

#include "file.hpp"

#if defined(RICCI_USE_ZLIB)
#include <zlib.h>
// Code that asks whether zlib is there is named after the answer: a program may have translation units of both kinds.
#define RICCI_ZLIB_NAMESPACE with_zlib
#else
#define RICCI_ZLIB_NAMESPACE without_zlib
#endif

namespace ricci::detail {
inline namespace RICCI_ZLIB_NAMESPACE {

#if defined(RICCI_USE_ZLIB)
inline constexpr bool has_zlib = true;
#else
inline constexpr bool has_zlib = false;
#endif

inline constexpr std::size_t deflate_block = std::size_t(1) << 18;
/// The most bytes that one byte of deflated data can stand for: two bits for 258 bytes.
inline constexpr std::size_t deflate_ratio = 1032;

#if defined(RICCI_USE_ZLIB)

/// Reads raw deflated data from a part of a file.
class inflater {
    z_stream stream_{};
    input_file& file_;
    std::size_t left_;  // compressed bytes not yet read
    std::string buffer_;
    bool ended_ = false;

   public:
    inflater(input_file& file, std::size_t compressed)
        : file_(file), left_(compressed), buffer_(compressed < deflate_block ? compressed : deflate_block, '\0') {
        if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
    ~inflater() { inflateEnd(&stream_); }
    inflater(const inflater&) = delete;
    inflater& operator=(const inflater&) = delete;

    /// Writes the next `bytes` bytes; null, or what is wrong.
    const char* read(void* to, std::size_t bytes) {
        auto* out = static_cast<Bytef*>(to);
        while (bytes > 0) {
            if (ended_) return "ends early";
            feed();
            const std::size_t part = bytes < deflate_block ? bytes : deflate_block;
            stream_.next_out = out;
            stream_.avail_out = static_cast<uInt>(part);
            const int status = inflate(&stream_, Z_NO_FLUSH);
            const std::size_t got = part - stream_.avail_out;
            out += got, bytes -= got;
            if (status == Z_STREAM_END) ended_ = true;
            else if (status != Z_OK && status != Z_BUF_ERROR) return stream_.msg ? stream_.msg : "is broken";
            else if (got == 0 && stream_.avail_in == 0 && left_ == 0) return "ends early";
        }
        return nullptr;
    }
    /// Null if the data ends here, else what is wrong.
    const char* finish() {
        while (!ended_) {
            feed();
            Bytef more;
            stream_.next_out = &more;
            stream_.avail_out = 1;
            const int status = inflate(&stream_, Z_NO_FLUSH);
            if (stream_.avail_out == 0) return "goes on behind its end";
            if (status == Z_STREAM_END) ended_ = true;
            else if (status != Z_OK && status != Z_BUF_ERROR) return stream_.msg ? stream_.msg : "is broken";
            else if (stream_.avail_in == 0 && left_ == 0) return "ends early";
        }
        return nullptr;
    }

   private:
    void feed() {
        if (stream_.avail_in > 0 || left_ == 0) return;
        const std::size_t part = left_ < buffer_.size() ? left_ : buffer_.size();
        file_.read(buffer_.data(), part, "compressed data");
        left_ -= part;
        stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
        stream_.avail_in = static_cast<uInt>(part);
    }
};

/// Writes raw deflated data.
class deflater {
    z_stream stream_{};
    output_file& file_;
    std::string buffer_ = std::string(deflate_block, '\0');
    std::size_t written_ = 0;

   public:
    deflater(output_file& file, int level) : file_(file) {
        if (deflateInit2(&stream_, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    ~deflater() { deflateEnd(&stream_); }
    deflater(const deflater&) = delete;
    deflater& operator=(const deflater&) = delete;

    void write(const void* from, std::size_t bytes) {
        const auto* in = static_cast<const Bytef*>(from);
        for (std::size_t part; bytes > 0; in += part, bytes -= part) {
            part = bytes < deflate_block ? bytes : deflate_block;
            stream_.next_in = const_cast<Bytef*>(in);
            stream_.avail_in = static_cast<uInt>(part);
            run(Z_NO_FLUSH);
        }
    }
    /// Ends the data; how many compressed bytes were written.
    std::size_t finish() {
        stream_.next_in = nullptr;
        stream_.avail_in = 0;
        run(Z_FINISH);
        return written_;
    }

   private:
    void run(int flush) {
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
            stream_.avail_out = static_cast<uInt>(buffer_.size());
            deflate(&stream_, flush);
            const std::size_t got = buffer_.size() - stream_.avail_out;
            file_.write(buffer_.data(), got);
            written_ += got;
        } while (stream_.avail_out == 0);
    }
};

#else

/// Stands in for zlib's: the one that reads refuses, the one that writes is never made.
class inflater {
   public:
    inflater(input_file&, std::size_t) {}
    const char* read(void*, std::size_t) { return "is compressed: define RICCI_USE_ZLIB (CMake: link ricci::zlib)"; }
    const char* finish() { return nullptr; }
};
class deflater {
   public:
    deflater(output_file&, int) {}
    void write(const void*, std::size_t) {}
    std::size_t finish() { return 0; }
};

#endif

}  // namespace RICCI_ZLIB_NAMESPACE
}  // namespace ricci::detail
