// The random numbers of one element: a stream of its own, for methods that need a number of them that is not known
// before.
#pragma once
#include "philox.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Uniforms and normals that depend on a seed, a stream of that seed, and its index alone. What a rejection method
/// makes of them for one element depends on no other, so that neither threads nor chunks change it.
class substream {
    std::uint64_t seed_, index_;
    random_stream kind_;
    std::uint32_t blocks_ = 0;
    bool has_uniform_ = false, has_normal_ = false;
    double uniform_ = 0, normal_ = 0;

    RICCI_HD philox_words next_block() { return philox_block(seed_, kind_, index_, blocks_++); }

   public:
    RICCI_HD substream(std::uint64_t seed, std::uint64_t index, random_stream kind = random_stream::element)
        : seed_(seed), index_(index), kind_(kind) {}

    RICCI_HD std::uint64_t bits() {
        const philox_words w = next_block();
        return std::uint64_t(w.word[0]) << 32 | w.word[1];
    }
    /// In [0, 1): 53 bits.
    RICCI_HD double uniform() {
        has_uniform_ = !has_uniform_;
        if (!has_uniform_) return uniform_;
        const philox_words w = next_block();
        uniform_ = unit_double(w.word[2], w.word[3]);
        return unit_double(w.word[0], w.word[1]);
    }
    /// In (0, 1], so that it has a logarithm.
    RICCI_HD double positive() { return 1.0 - uniform(); }
    RICCI_HD double normal() {
        has_normal_ = !has_normal_;
        if (!has_normal_) return normal_;
        const philox_words w = next_block();
        double first;
        box_muller(w.word[0], w.word[1], w.word[2], w.word[3], first, normal_);
        return first;
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
