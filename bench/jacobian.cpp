// Jacobians of a small vector function at each point of a batch, in forward and in reverse mode.
#include "bench.hpp"

namespace {

using namespace bench;
using reg = rc::simd<float>;

constexpr index_t d = 3;

/// sin(x) |x|^2, whose Jacobian is cos(x_i) |x|^2 on the diagonal, plus 2 sin(x_i) x_j.
inline constexpr auto function = [](auto x) { return sin(x) * sum(x * x); };

std::vector<double> expected(index_t batch) {
    std::vector<double> jacobians;
    const float* x = input(0, batch * d).data();
    for (index_t s = 0; s < batch; ++s, x += d) {
        double square = 0;
        for (index_t j = 0; j < d; ++j) square += double(x[j]) * x[j];
        for (index_t i = 0; i < d; ++i)
            for (index_t j = 0; j < d; ++j)
                jacobians.push_back((i == j ? std::cos(double(x[i])) * square : 0) + 2 * std::sin(double(x[i])) * x[j]);
    }
    return jacobians;
}
/// A register of points at a time; their number is a multiple of the lanes.
void by_hand(const float* x, float* to, index_t batch) {
    for (index_t s = 0; s < batch; s += reg::lanes, x += d * reg::lanes, to += d * d * reg::lanes) {
        float at[d][reg::lanes], out[d * d][reg::lanes];
        for (index_t l = 0; l < reg::lanes; ++l)
            for (index_t i = 0; i < d; ++i) at[i][l] = x[l * d + i];
        reg v[d], sine[d], cosine[d], square(0.0f);
        for (index_t i = 0; i < d; ++i) {
            v[i] = reg::load(at[i]);
            rc::math::sincos(v[i], sine[i], cosine[i]);
            square = rc::math::fma(v[i], v[i], square);
        }
        for (index_t i = 0; i < d; ++i)
            for (index_t j = 0; j < d; ++j) {
                const reg twice = (sine[i] + sine[i]) * v[j];
                (i == j ? rc::math::fma(cosine[i], square, twice) : twice).store(out[i * d + j]);
            }
        for (index_t l = 0; l < reg::lanes; ++l)
            for (index_t k = 0; k < d * d; ++k) to[l * d * d + k] = out[k][l];
    }
}

template <class Transform>
void jacobian(const char* name, index_t batch, Transform transform) {
    const row r(name, batch, 1e-5, [batch] { return expected(batch); });
    r.add("ricci", [=] {
        return [=, x = input(0, batch, d), all = rc::tensor<float, 3>()]() mutable {
            all = rc::vmap(transform(function))(x);
            return whole(all);
        };
    });
    r.add("hand", [batch] {
        return [x = input(0, batch * d).data(), batch, all = rc::empty<float>({batch, d, d})] {
            by_hand(x, all.data(), batch);
            return whole(all);
        };
    });
}

const bool registered = [] {
    jacobian("batched_jacfwd", 8192, [](auto f) { return rc::jacfwd(f); });
    jacobian("batched_jacrev", 8192, [](auto f) { return rc::jacrev(f); });
    return true;
}();

}  // namespace
