// What the fuzzers share: seeds, and a run in which io_error is the only way for a reader to refuse.
#pragma once
#include <ricci/core/error.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <string>

namespace fuzz {

/// Writes files to begin with into the first directory that the fuzzer is given.
inline void write_seeds(int argc, char** argv, std::initializer_list<std::string> seeds) {
    for (int i = 1; i < argc; ++i) {
        if (argv[i][0] == '-') continue;
        int number = 0;
        for (const std::string& seed : seeds) {
            const std::string path = std::string(argv[i]) + "/seed_" + std::to_string(number++);
            if (std::FILE* f = std::fopen(path.c_str(), "wb")) {
                std::fwrite(seed.data(), 1, seed.size(), f);
                std::fclose(f);
            }
        }
        return;
    }
}
inline std::span<const std::byte> bytes(const std::uint8_t* data, std::size_t size) {
    return std::as_bytes(std::span(data, size));
}
template <class F>
void attempt(F read) {
    try {
        read();
    } catch (const ricci::io_error&) {
    }
}
inline void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace fuzz
