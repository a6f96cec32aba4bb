// GradBench's LSTM: the loss of a recurrent network with diagonal weights on a sequence of characters, given as bits
// (ADBench).
#pragma once
#include <vector>

#include "inputs.hpp"

namespace gradbench {

/// l layers of width b over c characters. Each layer has two rows of `main`, weights and biases, of its forget, input
/// and output gates and its change, b of each. `extra`: weights of the input, weights and biases of the output.
struct lstm_data {
    rc::tensor<double, 2> main;      // (2 l, 4 b)
    rc::tensor<double, 2> extra;     // (3, b)
    rc::tensor<double, 2> state;     // (2 l, b): hidden and cell of each layer at the start
    rc::tensor<double, 2> sequence;  // (c, b)
    index_t l() const { return main.shape(0) / 2; }
    index_t b() const { return extra.shape(1); }
    index_t c() const { return sequence.shape(0); }
};

inline lstm_data make_lstm(index_t l, index_t c, index_t b = 14) {
    auto bits = uniform(rc::shape<2>{c, b}, 4);
    bits = where(bits < 0.5, 0.0, 1.0);
    return {uniform(rc::shape<2>{2 * l, 4 * b}, 1), uniform(rc::shape<2>{3, b}, 2), uniform(rc::shape<2>{2 * l, b}, 3),
            bits};
}

/// One part of a layer: weight and bias of its gate.
template <class W>
struct lstm_gate {
    W weight, bias;
    template <class X>
    auto operator()(const X& x) const {
        return x * weight + bias;
    }
};

/// The mean, over the characters but the first, of minus the log likelihood of each, predicted from those before it.
class lstm_objective {
   public:
    explicit lstm_objective(const lstm_data& d) : d_(d) {}

    template <class M, class E>
    auto operator()(const M& main, const E& extra) const {
        using A = std::remove_cvref_t<decltype(rc::evaluate(main(0) * extra(0, 0)))>;
        const index_t layers = d_.l(), steps = d_.c() - 1;
        const auto gate = [&](index_t layer, index_t g) {
            const rc::slice part(g * d_.b(), (g + 1) * d_.b());
            return lstm_gate<A>{main(2 * layer, part), main(2 * layer + 1, part)};
        };
        std::vector<lstm_gate<A>> forget, in, out, change;
        for (index_t i = 0; i < layers; ++i) {
            forget.push_back(gate(i, 0));
            in.push_back(gate(i, 1));
            out.push_back(gate(i, 2));
            change.push_back(gate(i, 3));
        }
        std::vector<A> hidden, cell, last;
        for (index_t i = 0; i < layers; ++i) {
            hidden.push_back(rc::evaluate(d_.state(2 * i) + 0.0 * extra(0)));
            cell.push_back(rc::evaluate(d_.state(2 * i + 1) + 0.0 * extra(0)));
        }
        const auto in_weight = extra(0);
        for (index_t t = 0; t < steps; ++t) {
            A x = rc::evaluate(d_.sequence(t) * in_weight);
            for (std::size_t i = 0; i < hidden.size(); ++i) {
                A &h = hidden[i], &c = cell[i];
                c = rc::evaluate(c * sigmoid(forget[i](x)) + sigmoid(in[i](h)) * tanh(change[i](h)));
                h = rc::evaluate(sigmoid(out[i](x)) * tanh(c));
                x = h;
            }
            last.push_back(x);
        }
        const auto y = rc::evaluate(rc::stack(last) * extra(1) + extra(2));
        const auto log_sum = log(2.0 + sum(exp(y), 1));  // the 2 is ADBench's
        const auto gold = d_.sequence(rc::slice(1, rc::none));
        return -sum(gold * (y - log_sum(rc::all, rc::newaxis))) / double(steps * d_.b());
    }

   private:
    const lstm_data& d_;
};

}  // namespace gradbench
