// Positions of the largest and smallest integers of a line: the first of equals, in whole blocks and beyond.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <ricci/ricci.hpp>

using namespace ricci;

TEST_CASE_TEMPLATE("extremum of a line: of integers, of any length", T, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint32_t, std::int64_t) {
    constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
    for (const index_t n : {1, 15, 16, 127, 128, 129, 300, 2047, 2048, 2049, 5000}) {
        CAPTURE(n);
        const tensor<T, 1> x = astype<T>(random::integers(20, 60, {n}, generator(7)));
        const auto check = [&] {
            T* const begin = x.data();
            CHECK(argmax(x).item() == std::max_element(begin, begin + n) - begin);
            CHECK(argmin(x).item() == std::min_element(begin, begin + n) - begin);
        };
        check();
        x(n - 1) = T(61);  // the last one is the best
        check();
        x(n / 2) = T(19);
        check();
        x(n / 3) = most;  // nothing is better, and another is as good
        x(n - 1) = most;
        check();
        x(n / 4) = least;
        x(n - 1) = least;
        check();
    }
    CHECK(argmax(full<T>({3000}, most)).item() == 0);
    CHECK(argmin(full<T>({3000}, least)).item() == 0);
}
