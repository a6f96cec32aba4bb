// What the tests of files share: temporary files, and the text of the error that an expression throws.
#pragma once
#include <doctest/doctest.h>
#include <ricci/core/error.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

namespace files {

/// A file in the directory for temporary files that goes when the test case ends.
struct temporary {
    std::string path = (std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + std::string("/ricci_test_") +
                       std::to_string(getpid());
    explicit temporary(const std::string& bytes = {}) { write(bytes); }
    ~temporary() { std::remove(path.c_str()); }
    temporary(const temporary&) = delete;

    void write(const std::string& bytes) const {
        std::FILE* f = std::fopen(path.c_str(), "wb");
        REQUIRE(f);
        REQUIRE(std::fwrite(bytes.data(), 1, bytes.size(), f) == bytes.size());
        std::fclose(f);
    }
    std::string read() const {
        std::string bytes;
        std::FILE* f = std::fopen(path.c_str(), "rb");
        REQUIRE(f);
        for (int c; (c = std::fgetc(f)) != EOF;) bytes += static_cast<char>(c);
        std::fclose(f);
        return bytes;
    }
};

inline std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

/// The message of the Error that `f` throws, without the "[op] 'path'" or "[op] memory of n bytes" of files.
template <class Error = ricci::io_error, class F>
std::string complaint(F f) {
    try {
        f();
    } catch (const Error& e) {
        const std::string text = e.what();
        if (const auto at = text.find(" bytes"); text.find("] memory of ") != std::string::npos)
            return text.substr(at + 7);
        if (const auto at = text.find("' "); text.find("] '/") != std::string::npos) return text.substr(at + 2);
        return text;
    }
    return "no error";
}
inline bool begins(const std::string& text, const std::string& with) { return text.compare(0, with.size(), with) == 0; }

}  // namespace files
