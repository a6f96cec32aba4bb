// What loaders read from and savers write to: files, and for loaders bytes in memory.
#pragma once
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "../core/error.hpp"

namespace ricci {

/// What a loader reads: the file at a path, or bytes in memory, which must outlive the call (or the reader made of
/// them).
class byte_source {
    std::string path_;
    std::span<const std::byte> bytes_;
    bool in_memory_ = false;

   public:
    template <class Path>
        requires(std::is_convertible_v<const Path&, std::string>)
    byte_source(const Path& path) : path_(path) {}
    byte_source(std::span<const std::byte> bytes) : bytes_(bytes), in_memory_(true) {}

    const std::string& path() const { return path_; }
    std::span<const std::byte> bytes() const { return bytes_; }
    bool in_memory() const { return in_memory_; }
};

namespace detail {

/// Bytes that are read one after the other, and the words with which errors about them begin.
class byte_reader {
    std::string name_;  // "[load_npy] 'path'"

   protected:
    explicit byte_reader(std::string name) : name_(std::move(name)) {}
    ~byte_reader() = default;

   public:
    byte_reader(byte_reader&&) = default;
    const std::string& name() const { return name_; }
    [[noreturn]] void fail(const std::string& why) const { throw io_error(name_ + why); }
    /// How many bytes there are in all.
    virtual std::size_t size() const = 0;
    /// The next bytes; throws when there are not so many: "is truncated in its <what>".
    virtual void read(void* to, std::size_t bytes, const char* what) = 0;
};

class input_file final : public byte_reader {
    std::FILE* file_ = nullptr;
    std::span<const std::byte> bytes_;
    std::size_t size_ = 0, at_ = 0;

    static std::string named(const char* op, const byte_source& from) {
        return std::string("[") + op + "] " +
               (from.in_memory() ? "memory of " + std::to_string(from.bytes().size()) + " bytes"
                                 : "'" + from.path() + "'");
    }
    [[noreturn]] void fail_read(int why) const { fail(std::string(" cannot be read: ") + std::strerror(why)); }

   public:
    input_file(const char* op, const byte_source& from) : byte_reader(named(op, from)), bytes_(from.bytes()) {
        size_ = bytes_.size();
        if (from.in_memory()) return;
        file_ = std::fopen(from.path().c_str(), "rb");
        if (!file_) fail(std::string(" cannot be opened: ") + std::strerror(errno));
        const long end = std::fseek(file_, 0, SEEK_END) == 0 ? std::ftell(file_) : -1;
        if (end < 0 || std::fseek(file_, 0, SEEK_SET) != 0) {
            const int why = errno;
            std::fclose(std::exchange(file_, nullptr));
            fail(std::string(" has no size, is it a regular file? ") + std::strerror(why));
        }
        size_ = static_cast<std::size_t>(end);
        if (std::fgetc(file_) == EOF && std::ferror(file_)) {  // a directory opens, and has a size
            const int why = errno;
            std::fclose(std::exchange(file_, nullptr));
            fail_read(why);
        }
        std::rewind(file_);
    }
    ~input_file() {
        if (file_) std::fclose(file_);
    }
    input_file(input_file&& other) noexcept
        : byte_reader(std::move(other)),
          file_(std::exchange(other.file_, nullptr)),
          bytes_(other.bytes_),
          size_(other.size_),
          at_(other.at_) {}
    input_file& operator=(const input_file&) = delete;

    std::size_t size() const override { return size_; }
    void seek(std::size_t at) {
        if (at > size_ || (file_ && std::fseek(file_, static_cast<long>(at), SEEK_SET) != 0))
            fail(" cannot be read at byte " + std::to_string(at));
        at_ = at;
    }
    void read(void* to, std::size_t bytes, const char* what) override {
        if (bytes == 0) return;
        if (bytes > size_ - at_) fail(std::string(" is truncated in its ") + what);
        errno = 0;
        if (!file_) std::memcpy(to, bytes_.data() + at_, bytes);
        else if (std::fread(to, 1, bytes, file_) != bytes) {
            if (std::ferror(file_)) fail_read(errno);
            fail(std::string(" is truncated in its ") + what);
        }
        at_ += bytes;
    }
    /// The rest of the file, or all of it, as text.
    std::string read_text(std::size_t bytes, const char* what) {
        if (bytes > size_ - at_) fail(std::string(" is truncated in its ") + what);
        std::string text(bytes, '\0');
        read(text.data(), bytes, what);
        return text;
    }
};

class output_file {
    std::FILE* file_;
    std::string name_;

   public:
    output_file(const char* op, const std::string& path)
        : file_(std::fopen(path.c_str(), "wb")), name_(std::string("[") + op + "] '" + path + "'") {
        if (!file_) fail(std::string(" cannot be opened: ") + std::strerror(errno));
    }
    ~output_file() {
        if (file_) std::fclose(file_);
    }
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;

    [[noreturn]] void fail(const std::string& why) const { throw io_error(name_ + why); }
    [[noreturn]] void fail_write() const { fail(std::string(" cannot be written: ") + std::strerror(errno)); }
    bool try_write(const void* from, std::size_t bytes) noexcept {
        return bytes == 0 || std::fwrite(from, 1, bytes, file_) == bytes;
    }
    void write(const void* from, std::size_t bytes) {
        if (!try_write(from, bytes)) fail_write();
    }
    void write(const std::string& text) { write(text.data(), text.size()); }
    void seek(std::size_t at) {
        if (std::fseek(file_, static_cast<long>(at), SEEK_SET) != 0) fail_write();
    }
    /// Writes what is buffered; a full disk shows up here at the latest.
    void close() {
        std::FILE* file = std::exchange(file_, nullptr);
        if (std::fclose(file) != 0) fail_write();
    }
};

}  // namespace detail
}  // namespace ricci
