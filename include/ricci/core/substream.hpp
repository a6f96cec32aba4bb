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
    bool has_uniform_ = false;
    double uniform_ = 0;

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
    /// A standard normal, and a uniform in (0, 1] that is independent of it, of one block: 85 bits make the normal,
    /// of magnitude below 8.6 (box_muller's formulas), 43 the uniform.
    RICCI_HD double normal(double& uniform) {
        const philox_words w = next_block();
        const std::uint64_t rest = std::uint64_t(w.word[3]) << 11 | (w.word[0] & 63) << 5 | (w.word[1] & 31);
        uniform = static_cast<double>(rest + 1) * 0x1p-43;
        const double radius = std::sqrt(minus_two_log(1.0 - unit_double(w.word[0], w.word[1])));
        const double t = static_cast<double>(static_cast<std::int32_t>(w.word[2] << 2)) * 0x1p-32;
        double s, c;
        small_sincos(t * 1.57079632679489661923, s, c);
        const double z = radius * (w.word[2] >> 30 & 1 ? s : c);
        return w.word[2] >> 31 ? -z : z;
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
