// Integers of one width through every kind of function, against NumPy.
#pragma once
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include "../../golden/integers.hpp"
#include "../../reference.hpp"

namespace dtypes {

using namespace ricci;
using reference::values;

/// Whether an expression has exactly these elements, of exactly this type.
template <class E, class T, std::size_t N>
bool is(const E& e, const T (&golden)[N]) {
    static_assert(std::is_same_v<typename E::value_type, T>);
    return values(e) == std::vector<T>(golden, golden + N);
}
template <class T, std::size_t N>
tensor<T, 1> array_of(const T (&x)[N]) {
    return from_span(std::span<const T>(x)).clone();
}

template <class T>
void check_arithmetic() {
    using golden = ::golden::integers<T>;
    CAPTURE(dtype_name<T>());
    const auto a = array_of(golden::a), b = array_of(golden::b), small = array_of(golden::small);
    const auto shift = array_of(golden::shift);
    CHECK(is(a + b, golden::sum_of_two));
    CHECK(is(a - b, golden::difference));
    CHECK(is(a * b, golden::product));
    CHECK(is(floor_divide(a, b), golden::whole_quotient));
    CHECK(is(remainder(a, b), golden::remainder));
    CHECK(is(fmod(a, b), golden::fmod));
    CHECK(is(pow(a, small), golden::power));
    CHECK(is(a & b, golden::conjunction));
    CHECK(is(a | b, golden::disjunction));
    CHECK(is(a ^ b, golden::exclusive));
    CHECK(is(~a, golden::inverse));
    CHECK(is(a << shift, golden::left));
    CHECK(is(a >> shift, golden::right));
    CHECK(is(-a, golden::negated));
    CHECK(is(abs(a), golden::absolute));
    CHECK(is(sign(a), golden::sign));
    CHECK(is(square(a), golden::squared));
    CHECK(is(minimum(a, b), golden::smaller));
    CHECK(is(maximum(a, b), golden::larger));
    CHECK(is(clip(a, 2, 100), golden::clipped));
    CHECK(is(where(a < b, a, b + 1), golden::selected));
    CHECK(is(a < b, golden::less));
    CHECK(is(small == small(slice(none, none, -1)), golden::equal));
}

template <class T>
void check_arrays() {
    using golden = ::golden::integers<T>;
    CAPTURE(dtype_name<T>());
    const auto a = array_of(golden::a), b = array_of(golden::b), small = array_of(golden::small);
    const auto rows = reshape(a, {4, 8});
    CHECK(is(sum(a), golden::total));
    CHECK(is(sum(rows, 0), golden::total_of_rows));
    CHECK(is(prod(a(slice(6, none))), golden::multiplied));
    CHECK(is(min(a), golden::least));
    CHECK(is(max(rows, 1), golden::most_of_rows));
    CHECK(argmax(a).item() == golden::position[0]);
    CHECK(argmin(a).item() == golden::position[1]);
    CHECK(is(cumulative_sum(a), golden::running));
    CHECK(is(cumulative_prod(a(slice(6, none))), golden::running_product));
    CHECK(is(sort(a), golden::sorted));
    CHECK(is(argsort(small), golden::order));
    CHECK(is(unique_values(small), golden::distinct));
    CHECK(is(searchsorted(sort(a), b), golden::places));
    CHECK(is(diff(a), golden::steps));
    CHECK(is(matmul(rows, reshape(b, {8, 4})), golden::matrix_product));
    CHECK(is(a(small), golden::picked));
    CHECK(is(bincount(small), golden::counted));
    CHECK(values(vmap([](auto x) { return x * x + 1; })(a)) == values(a * a + 1));
}

}  // namespace dtypes
