// Pictures of many channels become smaller at once; the same picture by picture, in double by definition, and
// derivatives.
#include "../transforms/mapped.hpp"
#include "close_calls.hpp"

using namespace mapped;

namespace {

tensor<double, 4> pictures(index_t channels, index_t height, index_t width) {
    return evaluate(sin(reshape(arange<double>(2 * channels * height * width), {2, channels, height, width}) * 0.37));
}
/// The mean of the elements of picture (b, c) in rows i ... and columns j ....
double mean_of(const tensor<double, 4>& x, index_t b, index_t c, index_t i, index_t i_end, index_t j, index_t j_end) {
    double sum = 0;
    for (index_t p = i; p < i_end; ++p)
        for (index_t q = j; q < j_end; ++q) sum += x.at(b, c, p, q);
    return sum / static_cast<double>((i_end - i) * (j_end - j));
}

}  // namespace

TEST_CASE("adaptive_avg_pool2d of many channels") {
    const auto x = pictures(9, 14, 11);
    const auto y = adaptive_avg_pool2d(x, {5, 4});
    for (index_t b = 0; b < 2; ++b)
        for (index_t c = 0; c < 9; ++c)
            for (index_t i = 0; i < 5; ++i)
                for (index_t j = 0; j < 4; ++j)
                    CHECK(y.at(b, c, i, j) == doctest::Approx(mean_of(x, b, c, i * 14 / 5, ((i + 1) * 14 + 4) / 5,
                                                                      j * 11 / 4, ((j + 1) * 11 + 3) / 4)));
    CHECK(array_equal(adaptive_avg_pool2d(ones<float>({4, 8, 14, 14}), 5), ones<float>({4, 8, 5, 5})));
    const double inf = std::numeric_limits<double>::infinity();
    auto line = zeros({20, 5});
    line(all, 0) = inf;
    CHECK(array_equal(adaptive_avg_pool1d(line, 2)(3), tensor{inf, 0.0}));
}
TEST_CASE("linear interpolation of many channels") {
    const auto x = pictures(9, 14, 10);
    const auto y = interpolate<interpolation::linear>(x, {7, 5});  // in the middle between four
    for (index_t c = 0; c < 9; ++c)
        for (index_t i = 0; i < 7; ++i)
            for (index_t j = 0; j < 5; ++j)
                CHECK(y.at(1, c, i, j) == doctest::Approx(mean_of(x, 1, c, 2 * i, 2 * i + 2, 2 * j, 2 * j + 2)));
    for (const bool corners : {false, true}) {
        const auto all_at_once = interpolate<interpolation::linear>(x, {6, 7}, corners);
        const auto one = interpolate<interpolation::linear>(x(1, slice(2, 3)), {6, 7}, corners);
        check_close(all_at_once(1, slice(2, 3)).clone(), one);
    }
    CHECK(interpolate<interpolation::linear>(astype<float16>(x), {7, 5}).shape() == shape{2, 9, 7, 5});
}
TEST_CASE("resizing of many channels: derivatives and batches") {
    const auto x = pictures(8, 5, 5);
    CHECK(gradcheck([](auto a) { return interpolate<interpolation::linear>(a, {2, 3}); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return adaptive_avg_pool2d(square(a), {3, 2}); }, ricci::tuple(x)));
    check_vmap([](auto a) { return interpolate<interpolation::linear>(a, {2, 3}) + adaptive_avg_pool2d(a, {2, 3}); },
               evaluate(reshape(pictures(32, 5, 5), {2, 32, 5, 5})));
}
