// GradBench's LSTM, timed.
#include "lstm_hand.hpp"
#include "problems.hpp"

namespace gradbench {

void time_lstm(index_t l, index_t c) {
    const auto d = make_lstm(l, c);
    const lstm_objective f(d);
    const auto gradient = rc::value_and_grad(f, rc::argnums<0, 1>);
    lstm_by_hand hand(d);
    const auto main_bar = rc::zeros<double>(d.main.shape()), extra_bar = rc::zeros<double>(d.extra.shape());
    print_line("LSTM l=" + std::to_string(l) + " c=" + std::to_string(c),
               {[&] { (void)rc::evaluate(f(d.main, d.extra)).item(); }, [&] { (void)gradient(d.main, d.extra); }},
               {[&] { (void)hand(d.main.data(), d.extra.data(), nullptr, nullptr); },
                [&] { (void)hand(d.main.data(), d.extra.data(), main_bar.data(), extra_bar.data()); }},
               torch_lstm(d.main.data(), d.extra.data(), d.state.data(), d.sequence.data(), l, c, d.b()));
}

}  // namespace gradbench
