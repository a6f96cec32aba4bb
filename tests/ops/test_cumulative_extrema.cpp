// cummax and cummin of long lines and of many lines beside each other, by the loop that says what they are.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

/// Numbers that rise for a while, repeat, and are NaN here and there, where T has that.
template <class T>
tensor<T, 2> uneven(index_t rows, index_t columns, bool with_nan) {
    auto x = tensor<T, 2>::uninitialized({rows, columns});
    for (index_t i = 0; i < x.size(); ++i) {
        x.data()[i] = static_cast<T>((i * 37 + i / 5) % 101 + i / 40);
        if constexpr (std::is_floating_point_v<T>)
            if (with_nan && i % 97 == 60) x.data()[i] = std::numeric_limits<T>::quiet_NaN();
    }
    return x;
}
template <class T, class Compare>
void check_line(const tensor<T, 1>& x, const tensor<T, 1>& y, const tensor<std::int64_t, 1>& at,
                const Compare& reaches) {
    T best = x.at(0);
    index_t place = 0;
    bool same = true;
    for (index_t i = 0; i < x.size(); ++i) {
        const T v = x.at(i);
        if (v != v || reaches(v, best)) best = v, place = i;
        same = same && at.at(i) == place && (y.at(i) == best || (best != best && y.at(i) != y.at(i)));
    }
    CHECK(same);
}
template <class T>
void check_array(const tensor<T, 2>& x) {
    for (const int axis : {0, 1}) {
        const auto [high, high_at] = cummax(x, axis);
        const auto [low, low_at] = cummin(x, axis);
        for (index_t i = 0; i < x.shape()[1 - axis]; ++i) {
            const auto line = [&](const auto& y) { return evaluate(axis == 0 ? y(all, i) : y(i, all)); };
            check_line<T>(line(x), line(high), line(high_at), [](T a, T b) { return a >= b; });
            check_line<T>(line(x), line(low), line(low_at), [](T a, T b) { return a <= b; });
        }
    }
}
template <class T>
void check_type() {
    for (const bool with_nan : {false, true})
        for (const auto& [rows, columns] : {std::pair{1, 300}, {300, 1}, {40, 67}, {5, 3}, {70, 130}})
            check_array(uneven<T>(rows, columns, with_nan));
    check_array(evaluate(uneven<T>(37, 90, true)(slice(none, none, -1), slice(1, none, 2))));
}

}  // namespace

TEST_CASE("cummax, cummin: values and positions of long lines, along both axes") {
    check_type<float>();
    check_type<double>();
    check_type<std::int32_t>();
    check_type<std::int64_t>();
    check_type<std::int8_t>();
}
TEST_CASE("cummax: lines without elements, no lines") {
    const auto [y, at] = cummax(tensor<float, 2>::uninitialized({3, 0}), 1);
    CHECK((y.shape() == shape<2>{3, 0} && at.shape() == shape<2>{3, 0}));
    const auto [z, z_at] = cummax(tensor<float, 2>::uninitialized({0, 3}), 0);
    CHECK((z.shape() == shape<2>{0, 3} && z_at.shape() == shape<2>{0, 3}));
}
