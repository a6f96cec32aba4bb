// The order in which a sparse matrix is eliminated: minimum degree, which keeps its factors sparse.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "../core/config.hpp"

namespace ricci::detail {

/// Eliminates vertices of a graph, always one whose estimated degree is least. An eliminated vertex is an element: the
/// list of those that it connects, in the place of their edges. The estimate is that of AMD (Amestoy, Davis & Duff
/// 1996).
class minimum_degree {
    using index = std::int64_t;
    using list = std::vector<index>;

   public:
    /// The graph of the pattern of a matrix and its transpose: entry k, from begin[j] to begin[j + 1], at row[k].
    minimum_degree(index_t n, const index* begin, const index* row)
        : n_(n),
          edges_(size_t(n)),
          elements_(size_t(n)),
          members_(size_t(n)),
          degree_(size_t(n), 0),
          mark_(size_t(n), -1),
          outside_(size_t(n), 0),
          outside_of_(size_t(n), -1),
          gone_(size_t(n), false),
          buckets_(size_t(n)) {
        for (index j = 0; j < n; ++j)
            for (index k = begin[j]; k < begin[j + 1]; ++k)
                if (row[k] != j) {
                    edges_[size_t(j)].push_back(row[k]);
                    edges_[size_t(row[k])].push_back(j);
                }
        for (index i = 0; i < n; ++i) {
            list& e = edges_[size_t(i)];
            std::sort(e.begin(), e.end());
            e.erase(std::unique(e.begin(), e.end()), e.end());
            set_degree(i, index(e.size()));
        }
    }
    list order() {
        list all;
        all.reserve(size_t(n_));
        while (index(all.size()) < n_) {
            const index p = least();
            gone_[size_t(p)] = true;
            all.push_back(p);
            eliminate(p, index(all.size()));
        }
        return all;
    }

   private:
    using size_t = std::size_t;

    /// A vertex whose degree is least. A list of those of one degree has some whose degree is another by now.
    index least() {
        for (;; ++lowest_)
            for (list& bucket = buckets_[size_t(lowest_)]; !bucket.empty();) {
                const index i = bucket.back();
                bucket.pop_back();
                if (!gone_[size_t(i)] && degree_[size_t(i)] == lowest_) return i;
            }
    }
    void set_degree(index i, index degree) {
        degree_[size_t(i)] = degree;
        buckets_[size_t(degree)].push_back(i);
        lowest_ = std::min(lowest_, degree);
    }
    void eliminate(index p, index step) {
        list& connected = members_[size_t(p)];  // p's neighbours, each once
        const auto add = [&](index i) {
            if (gone_[size_t(i)] || mark_[size_t(i)] == step) return;
            mark_[size_t(i)] = step;
            connected.push_back(i);
        };
        for (const index i : edges_[size_t(p)]) add(i);
        for (const index e : elements_[size_t(p)]) {
            for (const index i : members_[size_t(e)]) add(i);
            list().swap(members_[size_t(e)]);  // absorbed
        }
        list().swap(edges_[size_t(p)]);
        // how many members of the elements around are not among p's
        for (const index i : connected)
            for (const index e : elements_[size_t(i)]) {
                if (members_[size_t(e)].empty()) continue;
                if (outside_of_[size_t(e)] != step) {
                    outside_of_[size_t(e)] = step;
                    outside_[size_t(e)] = index(members_[size_t(e)].size());
                }
                --outside_[size_t(e)];
            }
        const index left = n_ - step;
        for (const index i : connected) {
            // edges among p's neighbours are p's, as an element; elements within p are, too
            list& edges = edges_[size_t(i)];
            std::erase_if(edges, [&](index j) { return gone_[size_t(j)] || mark_[size_t(j)] == step; });
            index degree = index(edges.size()) + index(connected.size()) - 1;
            list& around = elements_[size_t(i)];
            std::erase_if(around, [&](index e) { return members_[size_t(e)].empty() || outside_[size_t(e)] == 0; });
            for (const index e : around) degree += outside_[size_t(e)];
            around.push_back(p);
            set_degree(i, std::max<index>(0, std::min(degree, left - 1)));
        }
    }

    index n_, lowest_ = 0;
    std::vector<list> edges_, elements_, members_;
    list degree_, mark_, outside_, outside_of_;
    std::vector<bool> gone_;
    std::vector<list> buckets_;
};

/// An order of the columns of a square matrix, given by compressed columns, in which elimination fills in little.
inline std::vector<std::int64_t> minimum_degree_order(index_t n, const std::int64_t* begin, const std::int64_t* row) {
    return minimum_degree(n, begin, row).order();
}

}  // namespace ricci::detail
