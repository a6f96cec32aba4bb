// Weighted sums of the elements of pictures that places are made of, their taps, and the adjoints of these sums.
#pragma once
#include <algorithm>
#include <cstdint>

#include "../core/shape.hpp"
#include "line_grid.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The arrays of one member of a batch, dense: results (channels, places), pictures (channels, elements), for each of R
/// axes the weights (taps, places), null where all are 1, and where the taps lie (taps, places), below 0 outside of the
/// picture.
template <class T, int R>
struct tap_sum_member {
    T* results;
    T* pictures;
    T* weights[R];
    const std::int64_t* taps[R];
};
template <int R>
struct tap_sum_sizes {
    shape<R> extents;
    index_t channels, elements, places;
};

/// One of a member's arrays from the others: results for Slot 0, the adjoint of pictures for 1, that of the weights of
/// axis d for 2 + d. The terms of places are found once, a block of them at a time, and used for all channels. What is
/// outside of a picture has weight 0 and an element's place: only sums that are no numbers are added up again with
/// care.
template <class T, int R, int Taps, int Slot>
class tap_sums {
    static constexpr int axis = Slot - 2;
    static constexpr int terms = [] {
        int n = 1;
        for (int d = 0; d < R; ++d) n *= Taps;
        return n;
    }();
    /// Which of the axis' taps a term has.
    static constexpr int tap_of(int term) {
        for (int d = R - 1; d > axis; --d) term /= Taps;
        return term % Taps;
    }
    using member = tap_sum_member<T, R>;
    static constexpr index_t together = 4;  // channels

    const tap_sum_sizes<R>& sizes_;
    const member& m_;
    index_t first_ = 0, count_ = 0;

   public:
    static constexpr index_t block = std::max(16, 1024 / terms);

    tap_sums(const tap_sum_sizes<R>& sizes, const member& m) : sizes_(sizes), m_(m) {}
    /// Of places from the first on, a block at most, and the given channels. Pictures are added to.
    RICCI_VECTORIZE void run(index_t first, index_t count, index_t channel, index_t last_channel) {
        first_ = first;
        count_ = count;
        find_terms();
        if constexpr (axis >= 0) std::fill(&sums_[0][0], &sums_[0][0] + block * Taps, 0.0);
        for (; channel + together <= last_channel; channel += together) of_channels<together>(channel);
        if (last_channel - channel == 3) of_channels<3>(channel);
        else if (last_channel - channel == 2) of_channels<2>(channel);
        else if (channel < last_channel) of_channels<1>(channel);
        if constexpr (axis >= 0) store_sums();
    }

   private:
    std::int64_t element_[terms][block];
    T weight_[terms][block];
    bool inside_[terms][block];
    double sums_[axis >= 0 ? block : 1][Taps];

    /// Axis by axis, along places, so that registers do.
    RICCI_INLINE void find_terms() {
        const index_t count = count_;
        std::fill_n(element_[0], count, std::int64_t(0));
        std::fill_n(weight_[0], count, T(1));
        for (int d = 0, have = 1; d < R; ++d, have *= Taps)
            for (int i = have - 1; i >= 0; --i)
                for (int k = Taps - 1; k >= 0; --k) add_tap(d, k, element_[i], weight_[i], i * Taps + k);
        for (int t = 0; t < terms; ++t)
            for (index_t p = 0; p < count; ++p) {
                const bool inside = element_[t][p] >= 0;
                inside_[t][p] = inside;
                weight_[t][p] = inside ? weight_[t][p] : T(0);
                element_[t][p] = inside ? element_[t][p] : 0;
            }
    }
    RICCI_INLINE void add_tap(int d, int k, const std::int64_t* element, const T* weight, int term) {
        const index_t n = sizes_.extents[d], from = k * sizes_.places + first_, count = count_;
        const std::int64_t* const tap = m_.taps[d] + from;
        std::int64_t* const to = element_[term];
        for (index_t p = 0; p < count; ++p) to[p] = (element[p] | tap[p]) < 0 ? -1 : element[p] * n + tap[p];
        T* const product = weight_[term];
        if (d == axis || !m_.weights[d]) {
            for (index_t p = 0; p < count; ++p) product[p] = weight[p];
        } else {
            const T* const by = m_.weights[d] + from;
            for (index_t p = 0; p < count; ++p) product[p] = weight[p] * by[p];
        }
    }
    template <index_t Channels>
    RICCI_INLINE void of_channels(index_t channel) {
        T* const y = m_.results + channel * sizes_.places + first_;
        T* const x = m_.pictures + channel * sizes_.elements;
        const index_t places = sizes_.places, elements = sizes_.elements;
        for (index_t p = 0; p < count_; ++p) {
            const auto element = [&](int t) RICCI_INLINE_LAMBDA { return element_[t][p]; };
            const auto weight = [&](int t) RICCI_INLINE_LAMBDA { return weight_[t][p]; };
            if constexpr (Slot == 0) {
                T sum[Channels] = {};
                for (int t = 0; t < terms; ++t)
                    for (index_t c = 0; c < Channels; ++c) sum[c] += weight(t) * x[c * elements + element(t)];
                T all(0);
                for (index_t c = 0; c < Channels; ++c) all += sum[c];
                if (all != all) [[unlikely]]
                    for (index_t c = 0; c < Channels; ++c) sum[c] = careful_sum(p, x + c * elements);
                for (index_t c = 0; c < Channels; ++c) y[c * places + p] = sum[c];
            } else {
                T bar[Channels];
                [[maybe_unused]] T all(0);
                for (index_t c = 0; c < Channels; ++c) all += (bar[c] = y[c * places + p]) * T(0);
                if constexpr (axis >= 0) {
                    for (int t = 0; t < terms; ++t) {
                        T sum(0);
                        for (index_t c = 0; c < Channels; ++c) sum += bar[c] * x[c * elements + element(t)];
                        sums_[p][tap_of(t)] += static_cast<double>(sum * weight(t));
                    }
                } else if (all == all) [[likely]] {
                    for (int t = 0; t < terms; ++t)
                        for (index_t c = 0; c < Channels; ++c) x[c * elements + element(t)] += weight(t) * bar[c];
                } else {
                    for (int t = 0; t < terms; ++t)
                        for (index_t c = 0; c < Channels; ++c)
                            if (inside_[t][p]) x[c * elements + element(t)] += weight(t) * bar[c];
                }
            }
        }
    }
    T careful_sum(index_t p, const T* x) const {
        T sum(0);
        for (int t = 0; t < terms; ++t)
            if (inside_[t][p]) sum += weight_[t][p] * x[element_[t][p]];
        return sum;
    }
    void store_sums() {
        for (int k = 0; k < Taps; ++k)
            for (index_t p = 0; p < count_; ++p) {
                double sum = sums_[p][k];
                if (sum != sum) [[unlikely]]
                    sum = careful_weight(p, k);
                m_.weights[axis][k * sizes_.places + first_ + p] = static_cast<T>(sum);
            }
    }
    double careful_weight(index_t p, int k) const {
        double sum = 0;
        for (index_t c = 0; c < sizes_.channels; ++c) {
            const double bar = static_cast<double>(m_.results[c * sizes_.places + first_ + p]);
            for (int t = 0; t < terms; ++t)
                if (tap_of(t) == k) {
                    const T x = inside_[t][p] ? m_.pictures[c * sizes_.elements + element_[t][p]] : T(0);
                    sum += bar * static_cast<double>(weight_[t][p] * x);
                }
        }
        return sum;
    }
};

}  // namespace RICCI_ISA

/// Of all members of a batch, member(i) giving one's arrays. Pictures are filled with zeros before.
template <int Slot, int Taps, class T, int R, class Member>
void add_tap_sums(const tap_sum_sizes<R>& sizes, index_t members, const Member& member) {
    using sums = tap_sums<T, R, Taps, Slot>;
    constexpr index_t block = sums::block;
    const index_t blocks = (sizes.places + block - 1) / block;
    const auto of_block = [&](const tap_sum_member<T, R>& m, index_t i, index_t channel, index_t last) {
        sums s(sizes, m);
        s.run(i * block, std::min(block, sizes.places - i * block), channel, last);
    };
    if constexpr (Slot == 1) {  // places meet in elements, channels never do
        constexpr index_t together = 16;
        const index_t groups = (sizes.channels + together - 1) / together;
        for_blocks(members * groups, sizes.places * together, [&](index_t i) {
            const auto m = member(i / groups);
            const index_t channel = i % groups * together;
            for (index_t k = 0; k < blocks; ++k) of_block(m, k, channel, std::min(channel + together, sizes.channels));
        });
    } else {
        for_blocks(members * blocks, block * sizes.channels,
                   [&](index_t i) { of_block(member(i / blocks), i % blocks, 0, sizes.channels); });
    }
}

}  // namespace ricci::detail
