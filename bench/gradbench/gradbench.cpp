// GradBench's problems on generated inputs: times of the value and of value and gradient (or Jacobian), Ricci's, those
// of plain loops and libtorch's. `ricci_gradbench lstm` runs the problems whose name begins so.
#include <cstring>

#include <ricci/cpu/thread_pool.hpp>

#include "problems.hpp"

int main(int count, char** arguments) {
    using namespace gradbench;
    ricci::set_num_threads(1);
    print_heading();
    const auto run = [&](const char* name, const std::function<void()>& problem) {
        if (count < 2 || std::strncmp(name, arguments[1], std::strlen(arguments[1])) == 0) problem();
    };
    run("gmm", [] { time_gmm(1000, 2, 5), time_gmm(1000, 10, 25); });
    run("ba", [] { time_ba(49, 7776, 31843); });
    run("lstm", [] { time_lstm(2, 1024); });
    run("ht", [] { time_ht(544, 100, false), time_ht(544, 100, true), time_ht(10000, 6400, false); });
    run("lse", [] { time_lse(1000), time_lse(1000000); });
    run("llsq", [] { time_llsq(512, 128), time_llsq(16392, 128); });
    run("kmeans", [] { time_kmeans(1000, 8, 10), time_kmeans(10000, 16, 100); });
    run("det", [] { time_det(5), time_det(7), time_det(9); });
    run("ode", [] { time_ode(1000, 100), time_ode(100000, 10); });
    run("nested", [] { time_nested(); });
}
