// searchsorted of values in any order and in ascending runs, whose searches are narrowed together, against
// std::lower_bound and std::upper_bound.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <ricci/core/tensor.hpp>
#include <ricci/expr/assign.hpp>
#include <ricci/ops/create.hpp>
#include <ricci/ops/searchsorted.hpp>
#include <vector>

using namespace ricci;

namespace {

template <class T>
bool nan_last(T a, T b) {
    return a < b || (a == a && b != b);
}

template <class T>
void check(index_t n, index_t m, bool ascending, bool with_nan) {
    std::mt19937 random(static_cast<unsigned>(n + m));
    tensor<T, 1> list = empty<T>({n}), values = empty<T>({m});
    for (auto& a : list.span()) a = static_cast<T>(static_cast<int>(random() % 40) - 20);
    for (auto& v : values.span()) v = static_cast<T>(static_cast<int>(random() % 100) / 2 - 25);
    if (with_nan) {
        for (index_t i = 0; i < m; i += 7) values.data()[i] = std::numeric_limits<T>::quiet_NaN();
        if (n > 2) list.data()[0] = list.data()[1] = std::numeric_limits<T>::quiet_NaN();
    }
    std::sort(list.begin(), list.end(), nan_last<T>);
    if (ascending) std::sort(values.begin(), values.end(), nan_last<T>);
    const auto front = searchsorted(list, values), behind = searchsorted(list, values, true);
    index_t wrong = 0;
    for (index_t i = 0; i < m; ++i) {
        const T v = values.data()[i];
        wrong += front.data()[i] != std::lower_bound(list.begin(), list.end(), v, nan_last<T>) - list.begin();
        wrong += behind.data()[i] != std::upper_bound(list.begin(), list.end(), v, nan_last<T>) - list.begin();
    }
    CAPTURE(n);
    CAPTURE(m);
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("searchsorted: where the standard's searches stand") {
    for (const index_t n : {0, 1, 2, 3, 32, 33, 1000})
        for (const index_t m : {0, 1, 31, 32, 33, 500})
            for (const bool ascending : {false, true}) {
                check<int>(n, m, ascending, false);
                check<double>(n, m, ascending, false);
                check<double>(n, m, ascending, true);
            }
}
TEST_CASE("searchsorted: numbers in braces are of the list's type") {
    const tensor<float, 1> list{0.1f, 0.2f, 0.3f};
    const auto found = searchsorted(list, {0.1, 0.25});
    CHECK(found.at(0) == 0);
    CHECK(found.at(1) == 2);
    CHECK(searchsorted(list, {0.1, 0.25}, true).at(0) == 1);
}
