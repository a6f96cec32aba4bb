// What the fuzzers of array programs share.
#pragma once
#include <cstdlib>

namespace fuzz {

/// RICCI_FUZZ_SEED and RICCI_FUZZ_PROGRAMS choose other programs, and more, than the suite runs.
inline int from_environment(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

}  // namespace fuzz
