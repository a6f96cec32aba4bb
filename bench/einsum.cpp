// einsum beside the sequence of matrix products, views and maps that one would choose by hand, and its gradients beside
// the products that they are.
#include "bench.hpp"

namespace {

using namespace bench;
using rc::evaluate;
using rc::matmul;
using rc::permute;
using rc::reshape;

inline constexpr auto turned = [](const auto& x) { return rc::matrix_transpose(x); };

template <int N>
rc::tensor<float, N> array(int k, const index_t (&extents)[N]) {
    rc::shape<N> s;
    for (int d = 0; d < N; ++d) s[d] = extents[d];
    return reshape(input(k, s.count()), s);
}
template <class E>
std::vector<double> numbers(const E& e) {
    const auto y = evaluate(rc::astype<double>(e)).clone();
    return {y.data(), y.data() + y.size()};
}

/// An einsum and what gives the same by hand, functions of `arrays`.
template <class Sum, class ByHand, class... A>
void value(const std::string& text, Sum sum, ByHand by_hand, const A&... arrays) {
    const row r("einsum", text, 1e-4, [=] { return numbers(sum(evaluate(rc::astype<double>(arrays))...)); });
    r.add("ricci", [=] {
        return [=, y = evaluate(sum(arrays...)).clone()]() mutable {
            y = sum(arrays...);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [=, y = evaluate(sum(arrays...)).clone()]() mutable {
            y = by_hand(arrays...);
            return whole(y);
        };
    });
}

/// The gradients of the sum of an einsum's squares with respect to both operands; `by_hand` gives them as a tuple.
template <class Sum, class ByHand, class A, class B>
void gradient(const std::string& text, Sum sum, ByHand by_hand, const A& a, const B& b) {
    const auto both = [=](const auto& x, const auto& y) {
        return rc::grad([=](const auto& p, const auto& q) { return rc::sum(rc::square(sum(p, q))); },
                        rc::argnums<0, 1>)(x, y);
    };
    const row r("einsum_gradient", text, 1e-4, [=] {
        auto [x, y] = both(evaluate(rc::astype<double>(a)), evaluate(rc::astype<double>(b)));
        return numbers(x);
    });
    r.add("ricci", [=] {
        return [=, x = a, y = b]() mutable {
            std::tie(x, y) = both(a, b);
            return whole(x);
        };
    });
    r.add("hand", [=] {
        return [=, x = a, y = b]() mutable {
            std::tie(x, y) = by_hand(a, b);
            return whole(x);
        };
    });
}

/// Products of matrices of n rows in batches of `count`.
void batches(index_t count, index_t n) {
    const std::string size = std::to_string(count) + "," + std::to_string(n);
    const auto a = array(0, {count, n, n}), b = array(1, {count, n, n});
    const auto sum = [](const auto& x, const auto& y) { return rc::einsum<"bij,bjk->bik">(x, y); };
    value("bij,bjk->bik " + size, sum, [](const auto& x, const auto& y) { return matmul(x, y); }, a, b);
    gradient(
        "bij,bjk->bik " + size, sum,
        [](const auto& x, const auto& y) {
            const auto bar = evaluate(2.0f * matmul(x, y));
            return std::make_tuple(evaluate(matmul(bar, turned(y))), evaluate(matmul(turned(x), bar)));
        },
        a, b);
    value(
        "bij,bij->b " + size, [](const auto& x, const auto& y) { return rc::einsum<"bij,bij->b">(x, y); },
        [](const auto& x, const auto& y) { return evaluate(rc::sum(x * y, {1, 2})); }, a, b);
    value(
        "bii->b " + size, [](const auto& x) { return evaluate(rc::einsum<"bii->b">(x)); },
        [](const auto& x) { return evaluate(rc::sum(rc::diagonal(x, 0, 1, 2), 1)); }, a);
    value(
        "bi,bij->bj " + size, [](const auto& x, const auto& y) { return rc::einsum<"bi,bij->bj">(x, y); },
        [n](const auto& x, const auto& y) {
            return evaluate(rc::index(matmul(rc::index(x, rc::all, rc::newaxis, rc::all), y), rc::all, 0, rc::all));
        },
        array(2, {count, n}), b);
}
/// Attention: scores, from heads in front and from heads within rows, and what they weigh.
void attention(index_t batch, index_t heads, index_t length, index_t depth) {
    const std::string size = std::to_string(length) + "," + std::to_string(depth);
    const auto q = array(0, {batch, heads, length, depth}), k = array(1, {batch, heads, length, depth});
    const auto scores = [](const auto& x, const auto& y) { return rc::einsum<"bhqd,bhkd->bhqk">(x, y); };
    value("bhqd,bhkd->bhqk " + size, scores, [](const auto& x, const auto& y) { return matmul(x, turned(y)); }, q, k);
    gradient(
        "bhqd,bhkd->bhqk " + size, scores,
        [](const auto& x, const auto& y) {
            const auto bar = evaluate(2.0f * matmul(x, turned(y)));
            return std::make_tuple(evaluate(matmul(bar, y)), evaluate(matmul(turned(bar), x)));
        },
        q, k);
    value(
        "...qk,...kd->...qd " + size,
        [](const auto& x, const auto& y) { return rc::einsum<"...qk,...kd->...qd">(x, y); },
        [](const auto& x, const auto& y) { return matmul(x, y); }, array(2, {batch, heads, length, length}), k);
    value(
        "bqhd,bkhd->bhqk " + size, [](const auto& x, const auto& y) { return rc::einsum<"bqhd,bkhd->bhqk">(x, y); },
        [](const auto& x, const auto& y) { return matmul(permute(x, {0, 2, 1, 3}), permute(y, {0, 2, 3, 1})); },
        array(0, {batch, length, heads, depth}), array(1, {batch, length, heads, depth}));
}
/// Arrays of more axes, n along each.
void tensors(index_t n) {
    const std::string size = std::to_string(n);
    const auto cube = array(0, {n, n, n}), other = array(1, {n, n, n});
    const auto matrix = array(2, {n, n});
    const auto last = [](const auto& x, const auto& y) { return rc::einsum<"ijk,kl->ijl">(x, y); };
    value(
        "ijk,kl->ijl " + size, last,
        [n](const auto& x, const auto& y) { return reshape(matmul(reshape(x, {n * n, n}), y), {n, n, n}); }, cube,
        matrix);
    gradient(
        "ijk,kl->ijl " + size, last,
        [n](const auto& x, const auto& y) {
            const auto rows = reshape(x, {n * n, n});
            const auto bar = evaluate(2.0f * matmul(rows, y));
            return std::make_tuple(evaluate(reshape(matmul(bar, turned(y)), {n, n, n})),
                                   evaluate(matmul(turned(rows), bar)));
        },
        cube, matrix);
    const auto two = [](const auto& x, const auto& y) { return rc::einsum<"ijk,jil->kl">(x, y); };
    value(
        "ijk,jil->kl " + size, two,
        [n](const auto& x, const auto& y) {
            const auto lying = evaluate(permute(y, {1, 0, 2})).clone();
            return matmul(turned(reshape(x, {n * n, n})), reshape(lying, {n * n, n}));
        },
        cube, other);
    gradient(
        "ijk,jil->kl " + size, two,
        [n](const auto& x, const auto& y) {
            const auto rows = reshape(x, {n * n, n}),
                       others = reshape(evaluate(permute(y, {1, 0, 2})).clone(), {n * n, n});
            const auto bar = evaluate(2.0f * matmul(turned(rows), others));
            const auto y_bar = reshape(evaluate(matmul(rows, bar)), {n, n, n});
            return std::make_tuple(evaluate(reshape(matmul(others, turned(bar)), {n, n, n})),
                                   evaluate(permute(y_bar, {1, 0, 2})).clone());
        },
        cube, other);
    value(
        "bn,anm,bm->ba " + size,
        [](const auto& x, const auto& w, const auto& y) { return rc::einsum<"bn,anm,bm->ba">(x, w, y); },
        [n](const auto& x, const auto& w, const auto& y) {
            const auto wy = evaluate(matmul(y, turned(reshape(w, {n * n, n}))));  // (b, a n)
            return evaluate(rc::sum(reshape(wy, {n, n, n}) * rc::index(x, rc::all, rc::newaxis, rc::all), 2));
        },
        matrix, cube, array(3, {n, n}));
}
void matrices(index_t n) {
    const std::string size = std::to_string(n);
    const auto a = array(0, {n, n}), b = array(1, {n, n}), c = array(2, {n, n}), d = array(3, {n, n});
    const auto u = array(4, {n}), v = array(5, {n});
    const auto product = [](const auto& x, const auto& y) { return rc::einsum<"ij,jk->ik">(x, y); };
    value("ij,jk->ik " + size, product, [](const auto& x, const auto& y) { return matmul(x, y); }, a, b);
    gradient(
        "ij,jk->ik " + size, product,
        [](const auto& x, const auto& y) {
            const auto bar = evaluate(2.0f * matmul(x, y));
            return std::make_tuple(evaluate(matmul(bar, turned(y))), evaluate(matmul(turned(x), bar)));
        },
        a, b);
    value(
        "ij,kj->ik " + size, [](const auto& x, const auto& y) { return rc::einsum<"ij,kj->ik">(x, y); },
        [](const auto& x, const auto& y) { return matmul(x, turned(y)); }, a, b);
    value(
        "ij,jk,kl,lm->im " + size,
        [](const auto& p, const auto& q, const auto& r, const auto& s) {
            return rc::einsum<"ij,jk,kl,lm->im">(p, q, r, s);
        },
        [](const auto& p, const auto& q, const auto& r, const auto& s) { return matmul(matmul(matmul(p, q), r), s); },
        a, b, c, d);
    value(
        "i,ij,j-> " + size,
        [](const auto& x, const auto& m, const auto& y) { return evaluate(rc::einsum<"i,ij,j->">(x, m, y)); },
        [](const auto& x, const auto& m, const auto& y) { return evaluate(matmul(x, matmul(m, y))); }, u, a, v);
    value(
        "ij,j->i " + size, [](const auto& x, const auto& y) { return rc::einsum<"ij,j->i">(x, y); },
        [](const auto& x, const auto& y) { return matmul(x, y); }, a, u);
    const auto scaled = [](const auto& x, const auto& y) { return rc::einsum<"bi,bj->bij">(x, y); };
    value(
        "bi,bj->bij " + size, scaled,
        [](const auto& x, const auto& y) {
            return evaluate(rc::index(x, rc::all, rc::all, rc::newaxis) * rc::index(y, rc::all, rc::newaxis, rc::all));
        },
        a, b);
    const auto rows = [](const auto& x, const auto& y) { return rc::einsum<"ij,ij->i">(x, y); };
    value("ij,ij->i " + size, rows, [](const auto& x, const auto& y) { return evaluate(rc::sum(x * y, 1)); }, a, b);
    gradient(
        "ij,ij->i " + size, rows,
        [](const auto& x, const auto& y) {
            const auto bar = evaluate(2.0f * rc::sum(x * y, 1, rc::keepdims));
            return std::make_tuple(evaluate(bar * y), evaluate(bar * x));
        },
        a, b);
    value(
        "ii->i " + size, [](const auto& x) { return evaluate(rc::einsum<"ii->i">(x)).clone(); },
        [](const auto& x) { return evaluate(rc::diagonal(x)).clone(); }, a);
    value(
        "ij,ij-> " + size, [](const auto& x, const auto& y) { return evaluate(rc::einsum<"ij,ij->">(x, y)); },
        [](const auto& x, const auto& y) { return evaluate(rc::sum(x * y)); }, a, b);
}
void four_axes(index_t n) {
    const std::string size = std::to_string(n);
    const auto a = array(0, {n, n, n, n}), b = array(1, {n, n, n, n});
    value(
        "abcd,cdef->abef " + size, [](const auto& x, const auto& y) { return rc::einsum<"abcd,cdef->abef">(x, y); },
        [n](const auto& x, const auto& y) {
            return reshape(matmul(reshape(x, {n * n, n * n}), reshape(y, {n * n, n * n})), {n, n, n, n});
        },
        a, b);
    value(
        "ijkl->ilkj " + size, [](const auto& x) { return evaluate(rc::einsum<"ijkl->ilkj">(x)).clone(); },
        [](const auto& x) { return evaluate(permute(x, {0, 3, 2, 1})).clone(); }, a);
}

const bool registered = [] {
    for (const index_t n : {8, 32}) batches(1000, n);
    batches(16, 64);
    attention(2, 4, 16, 16);
    attention(2, 8, 128, 64);
    for (const index_t n : {8, 32, 96}) tensors(n);
    for (const index_t n : {8, 32, 128, 256}) matrices(n);
    for (const index_t n : {4, 8, 20}) four_axes(n);
    return true;
}();

}  // namespace
