// The test table: each row names a public function and says what it is given and what it must return; the table runs it
// over element types, layouts, special values, derivatives, batches, and transforms of transforms. See CONTRIBUTING.md.
//
//     RICCI_ROW(tanh, row{
//         .reference = [](real x) { return std::tanh(x); },
//         .args = args(reals(-10, 10)),
//         .special = {0.0, -0.0, inf, -inf, nan},
//         .ulp = 2,
//     });
#pragma once
#include "pointwise.hpp"

namespace table {

template <class Named, class Call>
const auto& choose_call(const Named& named, const Call& call) {
    if constexpr (std::is_same_v<Call, by_name>) return named;
    else return call;
}

// Each file of rows is compiled twice, as two tests: the columns of one op alone, and those of transforms of
// transforms.
#ifdef RICCI_TABLE_OF_TRANSFORMS
inline constexpr bool of_transforms = true;
#else
inline constexpr bool of_transforms = false;
#endif

template <class Named, class Row>
void run(const Named& named, const Row& row) {
    if constexpr (std::is_same_v<Row, covered_by>) {
        return;
    } else if constexpr (is_pointwise_v<Row>) {
        check_pointwise(row, choose_call(named, row.call));
    } else if constexpr (of_transforms) {
        const auto& call = choose_call(named, row.call);
        if constexpr (decltype(row.differentiable)::value >= 1) check_batched_derivatives(row, call);
        if constexpr (decltype(row.differentiable)::value >= 2) check_create_graph(row, call);
    } else {
        const auto& call = choose_call(named, row.call);
        [&]<class... T>(types<T...>) { (check_values<T>(row, call), ...); }(row.dtypes);
        if constexpr (takes_halves<decltype(row.dtypes)>) check_halves(row, call);
        check_batches(row, call);
        if constexpr (decltype(row.differentiable)::value >= 1) {
            check_first_order<float>(row, call);
            check_first_order<double>(row, call);
        }
        if constexpr (decltype(row.differentiable)::value >= 2) check_second_order(row, call);
    }
}
template <class Named, class... Row>
void run_all(const Named& named, const Row&... rows) {
    (run(named, rows), ...);
}

}  // namespace table

#define RICCI_ROW(name, ...) RICCI_ROW_NAMED(name, name, __VA_ARGS__)
// The row of a function in a namespace of its own: ricci::random::normal.
#define RICCI_ROW_IN(space, name, ...) RICCI_ROW_NAMED(space##_##name, space::name, __VA_ARGS__)
#define RICCI_ROW_NAMED(id, function, ...)                            \
    namespace table {                                                 \
    struct call_##id {                                                \
        template <class... X>                                         \
        auto operator()(const X&... x) const {                        \
            return ricci::function(x...);                             \
        }                                                             \
    };                                                                \
    static void rows_of_##id() { run_all(call_##id{}, __VA_ARGS__); } \
    }                                                                 \
    TEST_CASE("row: " #function) { table::rows_of_##id(); }           \
    static_assert(true)
