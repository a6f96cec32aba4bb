// FFTW's planning: measured plans give the same transforms; wisdom goes out and in; threads plan at once.
#include <atomic>
#include <thread>

#include "fft_reference.hpp"

using namespace fft_reference;

TEST_CASE("fft: measured plans, and what they leave") {
    const auto z = numbers<std::complex<double>>(shape{3, 60}, 1);
    const auto estimated = fft::fft(z);
    fft::set_planning(fft::measure);
    const auto measured = fft::fft(z);
    CHECK(difference(measured, estimated) < 1e-13);
    CHECK(difference(fft::irfft(fft::rfft(real_parts(z))), real_parts(z)) < 1e-14);
    fft::set_planning(fft::estimate);
    const auto wisdom = fft::export_wisdom<double>();
    CHECK(reference::contains(wisdom, "fftw"));
    fft::import_wisdom<double>(wisdom);
    CHECK(reference::message<value_error>([] { fft::import_wisdom<float>("nonsense"); }) ==
          "[import_wisdom] the text is not wisdom of this FFTW for float32");
}

TEST_CASE("fft: arrays that are not aligned") {
    const auto z = numbers<std::complex<float>>(shape{101}, 1);
    const auto part = z(slice(1, 101));
    CHECK(difference(fft::fft(part), fft::fft(part.clone())) < 1e-5);
}

TEST_CASE("fft: many threads plan at once") {
    std::atomic<int> right{0};
    std::vector<std::thread> users;
    for (int t = 0; t < 4; ++t)
        users.emplace_back([&] {
            for (index_t n = 2; n < 120; ++n) {
                const auto x = numbers<float>(shape{n}, 2);
                const auto back = fft::irfft(fft::rfft(x), {.n = n});
                double worst = 0;
                for (index_t i = 0; i < n; ++i) worst = std::max(worst, std::abs(double(back.at(i)) - double(x.at(i))));
                right += worst < 1e-5;
            }
        });
    for (auto& user : users) user.join();
    CHECK(right == 4 * 118);
}
