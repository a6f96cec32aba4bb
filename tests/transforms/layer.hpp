// Models for tests: structs of arrays that list their members.
#pragma once
#include <tuple>

template <class W, class B>
struct layer {
    W weight;
    B bias;
    friend auto members(const layer& l) { return std::tie(l.weight, l.bias); }
};
template <class W, class B>
layer(W, B) -> layer<W, B>;

template <class First, class Second>
struct network {
    First first;
    Second second;
    friend auto members(const network& n) { return std::tie(n.first, n.second); }
};
template <class First, class Second>
network(First, Second) -> network<First, Second>;

template <class W>
struct alike {
    W first, second;
    friend auto members(const alike& a) { return std::tie(a.first, a.second); }
};
template <class W>
alike(W, W) -> alike<W>;
