// The order in which einsum contracts its operands, two at a time, by cost.
#pragma once
#include <cstdint>
#include <limits>

#include "../../core/config.hpp"
#include "einsum_text.hpp"

namespace ricci::detail {

/// One step: operands `first` < `second` become one, in the place of the first, without the axes whose bits are set.
struct einsum_step {
    int first, second;
    std::uint64_t summed;
};

/// The steps that contract operands, each given by the axes that it has: the cheapest order of all, found by dynamic
/// programming over sets of operands, where they are few; beyond, always the pair that leaves the least (Smith and Gray
/// 2018).
class einsum_order {
   public:
    template <int N>
    einsum_order(const std::uint64_t (&operands)[N], std::uint64_t result, const double* extent)
        : count_(N), result_(result), extent_(extent) {
        static_assert(N <= einsum_text::most_operands);
        for (int i = 0; i < N; ++i) operands_[i] = operands[i];
        if (N == 2) join(0, 1);
        else if (N > 2 && N <= few) best_order();
        else if (N > few) greedy_order();
    }
    einsum_step step[einsum_text::most_operands];
    int steps = 0;

   private:
    static constexpr int few = 6;
    static int lowest(unsigned set) { return __builtin_ctz(set); }
    double count(std::uint64_t axes) const {
        double n = 1;
        for (; axes; axes &= axes - 1) n *= extent_[__builtin_ctzll(axes)];
        return n;
    }
    std::uint64_t all_but(int i, int j) const {
        std::uint64_t axes = result_;
        for (int k = 0; k < count_; ++k)
            if (k != i && k != j) axes |= operands_[k];
        return axes;
    }
    void join(int i, int j) {
        const std::uint64_t both = operands_[i] | operands_[j], kept = both & all_but(i, j);
        step[steps++] = {i, j, both & ~kept};
        operands_[i] = kept;
        operands_[j] = 0;
    }
    void greedy_order() {
        const int n = count_;
        unsigned left = (1u << n) - 1;
        while (left & (left - 1)) {
            double least = std::numeric_limits<double>::infinity();
            int first = -1, second = -1;
            for (int i = 0; i < n; ++i)
                for (int j = i + 1; j < n; ++j) {
                    if (!(left >> i & left >> j & 1)) continue;
                    const std::uint64_t a = operands_[i], b = operands_[j];
                    const double grows = count((a | b) & all_but(i, j)) - count(a) - count(b);
                    if (first < 0 || grows < least) least = grows, first = i, second = j;
                }
            join(first, second);
            left &= ~(1u << second);
        }
    }
    void best_order() {
        const int n = count_;
        const unsigned all = (1u << n) - 1;
        std::uint64_t has[1 << few];  // axes of what a set of operands contracts to
        double cost[1 << few];
        unsigned split[1 << few];
        for (unsigned set = 1; set <= all; ++set) {
            std::uint64_t inside = 0, outside = result_;
            for (int i = 0; i < n; ++i) (set >> i & 1 ? inside : outside) |= operands_[i];
            has[set] = set & (set - 1) ? inside & outside : inside;
            cost[set] = 0;
            split[set] = 0;
            if (!(set & (set - 1))) continue;
            cost[set] = std::numeric_limits<double>::infinity();
            const unsigned low = set & (0u - set);
            for (unsigned part = (set - 1) & set; part; part = (part - 1) & set) {
                if (!(part & low)) continue;  // each split once
                const double c = cost[part] + cost[set ^ part] + count(has[part] | has[set ^ part]);
                if (split[set] == 0 || c < cost[set]) cost[set] = c, split[set] = part;
            }
        }
        emit(all, split);
    }
    /// What a set contracts to is in the place of its first operand.
    void emit(unsigned set, const unsigned* split) {
        if (!(set & (set - 1))) return;
        const unsigned part = split[set], rest = set ^ part;
        emit(part, split);
        emit(rest, split);
        join(lowest(part), lowest(rest));
    }

    std::uint64_t operands_[einsum_text::most_operands];
    int count_;
    std::uint64_t result_;
    const double* extent_;
};

}  // namespace ricci::detail
