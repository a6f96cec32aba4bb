// Gradients for each sample of a perceptron with one hidden layer, 784-256-10, by vmap of grad; against products and loops
// over the whole batch written by hand.
#include <cstring>

#include "bench.hpp"
#include "torch_rows.hpp"

namespace {

using namespace bench;
using rc::all, rc::newaxis;

struct sizes_of_mlp {
    index_t batch, in, hidden, out;
    index_t parameters() const { return hidden * in + hidden + out * hidden + out; }
};

/// Weights, biases and a batch: the same numbers for all.
struct mlp {
    sizes_of_mlp n;
    rc::tensor<float, 2> w1, w2, x, y;
    rc::tensor<float, 1> b1, b2;
    explicit mlp(const sizes_of_mlp& s)
        : n(s), w1(rc::evaluate(0.05 * input(0, s.hidden, s.in))), w2(rc::evaluate(0.1 * input(1, s.out, s.hidden))),
          x(input(4, s.batch, s.in)), y(input(5, s.batch, s.out)), b1(input(2, s.hidden)), b2(input(3, s.out)) {}
};

inline constexpr auto mlp_loss = [](auto w1, auto b1, auto w2, auto b2, auto x, auto y) {
    const auto h = rc::evaluate(tanh(matmul(w1, x) + b1));
    return sum(square(matmul(w2, h) + b2 - y));
};

/// All gradients of one sample after another's, as one array of sums over the parameters: what can be compared.
template <class G1, class G2, class G3, class G4>
std::vector<float> check_sums(const G1& w1, const G2& b1, const G3& w2, const G4& b2) {
    std::vector<float> sums;
    const index_t batch = b1.shape(0);
    for (index_t s = 0; s < batch; ++s) {
        double total = 0;
        const auto add = [&](const auto& g) {
            const index_t n = g.size() / batch;
            for (index_t i = 0; i < n; ++i) total += g.data()[s * n + i] * std::cos(double(i % 31));
        };
        add(w1), add(b1), add(w2), add(b2);
        sums.push_back(static_cast<float>(total));
    }
    return sums;
}

}  // namespace
