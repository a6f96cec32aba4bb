// Loops whose outputs are windows: added into larger arrays, where they may overlap.
#pragma once
#include "loop.hpp"

#if RICCI_ENGINE_BODIES
RICCI_CONTROL_BEGIN
namespace ricci::detail {

class window_driver : public loop_driver {
   public:
    window_driver(loop_nest& nest, const row_kernel& kernel, const axes_steps* axes, const memory_range* homes)
        : loop_driver(nest, kernel, axes, homes, steps()) {
        for (int k = 0; k < kernel.outputs; ++k) {
            int h = 0;
            if (is_window(k))
                while (!(is_window(h) && homes[h].begin == homes[k].begin)) ++h;
            home_[k] = is_window(k) ? h : none;
        }
    }

   private:
    static const window_driver& of(const loop_driver& d) { return static_cast<const window_driver&>(d); }
    static const window_steps& steps() {
        static constexpr window_steps all{
            [](const loop_driver& d) { return of(d).chunks_apart(); },
            [](loop_driver& d) { static_cast<window_driver&>(d).run_chunks_apart(); },
            [](const loop_driver& d, chunk_state& s, index_t chunk) { of(d).begin_chunk(s, chunk); },
            [](const loop_driver& d, chunk_state& s, index_t from, index_t n) { of(d).clear_ahead(s, from, n); },
            [](const loop_driver& d, const chunk_state& s) { of(d).clear_rest(s); }};
        return all;
    }

    /// What a chunk touches of the home of output h.
    memory_range touched(int h, index_t chunk) const {
        index_t extent[max_loop_rank];
        for (int d = 0; d < nest_.rank; ++d) extent[d] = nest_.extent[d];
        const index_t begin = slice_chunk(chunk, extent);
        memory_range all;
        for (int k = h; k < kernel_.outputs; ++k) {
            if (home_[k] != h) continue;
            const index_t bytes = static_cast<index_t>(item(kernel_.inputs + k));
            std::byte* low = nest_.data[kernel_.inputs + k] + begin * out_stride(k)[split_] * bytes;
            std::byte* high = low + bytes;
            for (int d = 0; d < nest_.rank; ++d) {
                const index_t reach = (extent[d] - 1) * out_stride(k)[d] * bytes;
                (reach < 0 ? low : high) += reach;
            }
            if (!all.begin || low < all.begin) all.begin = low;
            if (high > all.end) all.end = high;
        }
        return all;
    }
    /// Whether chunks follow each other in memory and touch at most their neighbours' ranges, so that every other one
    /// can run at the same time.
    bool chunks_apart() const {
        for (int h = 0; h < kernel_.outputs; ++h) {
            if (home_[h] != h) continue;
            memory_range before = touched(h, 0), last = touched(h, 1);
            for (index_t c = 1; c < chunks_; ++c) {
                if (last.begin < before.begin || last.end < before.end) return false;
                if (c + 1 == chunks_) break;
                const memory_range next = touched(h, c + 1);
                if (next.begin < before.end) return false;
                before = std::exchange(last, next);
            }
        }
        return true;
    }
    /// On one thread, too, so that sums do not depend on their number.
    void run_chunks_apart() {
        parallel_for((chunks_ + 1) / 2,
                     [](void* self, index_t i) { static_cast<window_driver*>(self)->run_chunk(2 * i); }, this);
        parallel_for(
            chunks_ / 2, [](void* self, index_t i) { static_cast<window_driver*>(self)->run_chunk(2 * i + 1); }, this);
    }
    /// Windows that meet no other one within a tile are added to by the kernel, the others come through buffers. A
    /// chunk clears what it touches first: an even one all that it touches, an odd one what lies between its
    /// neighbours'.
    void begin_chunk(chunk_state& s, index_t chunk) const {
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (home_[k] == none) continue;
            s.mode[k] = is_alone(k, s) ? output_mode::add : output_mode::store;
            s.leads[k] = false;
            if (home_[k] != k) continue;
            s.cleared[k] = homes_[k].begin;
            s.clear_end[k] = homes_[k].end;
            const bool odd = chunk % 2;
            if (chunk > 0) s.cleared[k] = odd ? touched(k, chunk - 1).end : touched(k, chunk).begin;
            if (chunk + 1 < chunks_) s.clear_end[k] = odd ? touched(k, chunk + 1).begin : touched(k, chunk).end;
            if (homes_[k].filled) s.cleared[k] = s.clear_end[k];
        }
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (home_[k] != k) continue;
            const int leader = leader_of(k, s);
            if (leader >= 0 && s.mode[leader] == output_mode::add) s.leads[leader] = true;
        }
    }
    /// Of windows that go the same way, the one that is ahead of the others: what it reaches first, it may store.
    int leader_of(int h, const chunk_state& s) const {
        int leader = h;
        for (int k = h; k < kernel_.outputs; ++k) {
            if (home_[k] != h) continue;
            if (s.step[kernel_.inputs + k] != 1 || !same_strides(h, k)) return -1;
            if (nest_.data[kernel_.inputs + k] > nest_.data[kernel_.inputs + leader]) leader = k;
        }
        return leader;
    }
    bool same_strides(int j, int k) const {
        return std::memcmp(out_stride(j), out_stride(k), static_cast<std::size_t>(nest_.rank) * sizeof(index_t)) == 0;
    }
    bool is_alone(int k, const chunk_state& s) const {
        if (kernel_.any_step || nest_.rank == 0) return true;
        if (s.step[kernel_.inputs + k] != 1) return false;
        if (kernel_.adds_apart) return true;
        const index_t bytes = std::min(s.length, window_tile) * static_cast<index_t>(item(kernel_.inputs + k));
        for (int j = 0; j < k; ++j) {
            if (home_[j] != home_[k] || s.mode[j] != output_mode::add) continue;
            if (!same_strides(j, k)) return false;
            const index_t apart = s.at[kernel_.inputs + k] - s.at[kernel_.inputs + j];
            if (apart < bytes && -apart < bytes) return false;
        }
        return true;
    }
    /// Makes the homes ready for the next n elements of a row: what these reach first is cleared, or stored by the
    /// leader.
    void clear_ahead(chunk_state& s, index_t from, index_t n) const {
        for (const bool leads : {true, false})
            for (int k = 0; k < kernel_.outputs; ++k)
                if (home_[k] != none && s.leads[k] == leads) make_ready(s, k, from, n);
    }
    void make_ready(chunk_state& s, int k, index_t from, index_t n) const {
        const int o = kernel_.inputs + k, h = home_[k];
        const index_t bytes = static_cast<index_t>(item(o)), step = s.step[o];
        std::byte *const begin = s.at[o] + from * step * bytes, *end = begin + bytes;
        if (step > 0) end += (n - 1) * step * bytes;
        if (s.leads[k]) {
            const bool first = begin >= s.cleared[h] && end <= s.clear_end[h];
            s.mode[k] = first ? output_mode::store : output_mode::add;
            if (first) {
                memory_range{s.cleared[h], begin}.clear();
                s.cleared[h] = end;
            }
        }
        end = std::min(end, s.clear_end[h]);
        if (end > s.cleared[h]) memory_range{std::exchange(s.cleared[h], end), end}.clear();
    }
    void clear_rest(const chunk_state& s) const {
        for (int k = 0; k < kernel_.outputs; ++k)
            if (home_[k] == k) memory_range{s.cleared[k], s.clear_end[k]}.clear();
    }

    static constexpr int none = -1;
    int home_[max_operands];  // of each window, the first one that has the same home
};

}  // namespace ricci::detail
RICCI_CONTROL_END
#endif  // RICCI_ENGINE_BODIES
