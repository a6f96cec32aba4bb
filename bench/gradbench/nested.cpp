// GradBench's particle and saddle, timed: forward (f) and reverse (r) mode, the outer one first.
#include "nested_hand.hpp"
#include "particle.hpp"
#include "problems.hpp"
#include "saddle.hpp"

namespace gradbench {
namespace {

volatile double kept = 0;

template <class Problem>
void time_modes(const char* name, const Problem& problem, const std::function<void()>& by_hand) {
    const auto line = [&](const char* modes, const auto& outer, const auto& inner) {
        print_line(std::string(name) + " " + modes, {nullptr, [&] { problem(outer, inner); }}, {{}, by_hand});
    };
    line("ff", forward_mode, forward_mode);
    line("fr", forward_mode, reverse_mode);
    line("rf", reverse_mode, forward_mode);
    line("rr", reverse_mode, reverse_mode);
}

}  // namespace

void time_nested() {
    const rc::tensor<double, 1> start{1, 1};
    time_modes(
        "saddle", [&](const auto& outer, const auto& inner) { (void)saddle_point(outer, inner, start); },
        [] { kept = saddle_by_hand({1, 1})[3]; });
    time_modes(
        "particle", [&](const auto& outer, const auto& inner) { kept = particle_control(outer, inner, 0); },
        [] { kept = particle_by_hand(0); });
}

}  // namespace gradbench
