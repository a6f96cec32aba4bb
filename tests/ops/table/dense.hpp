// Arrays of long double: what the rows of the test table give their references in.
#pragma once
#include "../../reference.hpp"

namespace table {

using ricci::index_t;
using real = long double;

struct dense {
    std::vector<index_t> shape;
    std::vector<real> values;  // row-major

    static index_t count(const std::vector<index_t>& extents) {
        index_t n = 1;
        for (index_t e : extents) n *= e;
        return n;
    }
    static dense zeros(std::vector<index_t> extents) {
        const auto n = static_cast<std::size_t>(count(extents));
        return {std::move(extents), std::vector<real>(n)};
    }
    index_t rank() const { return static_cast<index_t>(shape.size()); }
    /// The element at an index of another array's, broadcast: missing axes in front, extent 1.
    real broadcast(const std::vector<index_t>& at) const {
        index_t i = 0;
        const std::size_t skip = at.size() - shape.size();
        for (std::size_t d = 0; d < shape.size(); ++d) i = i * shape[d] + (shape[d] == 1 ? 0 : at[d + skip]);
        return values[static_cast<std::size_t>(i)];
    }
    real& at(const std::vector<index_t>& index) {
        index_t i = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) i = i * shape[d] + index[d];
        return values[static_cast<std::size_t>(i)];
    }
    real at(const std::vector<index_t>& index) const { return const_cast<dense&>(*this).at(index); }
};

/// Calls f(index) for every index, the last axis fastest.
template <class F>
void for_each_index(const std::vector<index_t>& extents, F f) {
    std::vector<index_t> at(extents.size());
    for (index_t n = dense::count(extents), i = 0; i < n; ++i) {
        f(static_cast<const std::vector<index_t>&>(at));
        for (std::size_t d = extents.size(); d-- > 0 && ++at[d] == extents[d];) at[d] = 0;
    }
}


template <class T, int R>
dense to_dense(const ricci::tensor<T, R>& x) {
    dense d{{x.shape().begin(), x.shape().end()}, {}};
    reference::for_each_index(x.shape(), [&](const auto& at) { d.values.push_back(static_cast<real>(reference::element(x, at))); });
    return d;
}

/// f element by element over arrays broadcast together.
template <class F, class... X>
dense map(const F& f, const X&... x) {
    std::vector<index_t> extents;
    for (const dense* a : {&x...}) {
        if (a->shape.size() > extents.size()) extents.insert(extents.begin(), a->shape.size() - extents.size(), 1);
        for (std::size_t d = 0; d < a->shape.size(); ++d) {
            index_t& e = extents[extents.size() - a->shape.size() + d];
            if (a->shape[d] != 1) e = a->shape[d];
        }
    }
    dense y{extents, {}};
    for_each_index(extents, [&](const auto& at) { y.values.push_back(static_cast<real>(f(x.broadcast(at)...))); });
    return y;
}

/// The fold of x along axes (all of them when none are named): f(accumulator, element) from `start`, then
/// done(accumulator, n).
template <class F, class Done>
dense fold(const dense& x, std::vector<int> axes, bool keep, real start, const F& f, const Done& done) {
    if (axes.empty())
        for (int d = 0; d < x.rank(); ++d) axes.push_back(d);
    std::vector<index_t> kept = x.shape, dropped;
    std::vector<bool> reduced(x.shape.size());
    index_t n = 1;
    for (int axis : axes) {
        const auto d = static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(x.rank()) : axis);
        reduced[d] = true;
        n *= kept[d];
        kept[d] = 1;
    }
    for (std::size_t d = 0; d < kept.size(); ++d)
        if (!reduced[d]) dropped.push_back(kept[d]);
    dense y = dense::zeros(kept);
    for (real& v : y.values) v = start;
    for_each_index(x.shape, [&](std::vector<index_t> at) {
        const real v = x.at(at);
        for (std::size_t d = 0; d < at.size(); ++d)
            if (reduced[d]) at[d] = 0;
        y.at(at) = f(y.at(at), v);
    });
    for (real& v : y.values) v = done(v, static_cast<real>(n));
    if (!keep) y.shape = dropped;
    return y;
}
template <class F>
dense fold(const dense& x, const std::vector<int>& axes, bool keep, real start, const F& f) {
    return fold(x, axes, keep, start, f, [](real s, real) { return s; });
}

/// An array of the given shape whose element at an index is x's element at from(index).
template <class F>
dense gather(const dense& x, const std::vector<index_t>& extents, const F& from) {
    dense y{extents, {}};
    for_each_index(extents, [&](const auto& at) { y.values.push_back(x.at(from(at))); });
    return y;
}

}  // namespace table
