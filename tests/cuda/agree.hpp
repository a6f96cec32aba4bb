// What the tests of the second device share: a function must give the same on both.
#pragma once
#include <doctest/doctest.h>
#include <ricci/cuda.hpp>

#include <cmath>
#include <complex>

namespace rc = ricci;

template <class T>
constexpr double tolerance() {
    if constexpr (!rc::is_inexact_v<T>) return 0;
    else if constexpr (rc::is_half_v<T>) return static_cast<double>(std::numeric_limits<T>::epsilon());
    else return sizeof(rc::real_t<T>) == 4 ? 2e-5 : 1e-11;
}

template <class T>
bool close(const T& a, const T& b) {
    if (a == b || (a != a && b != b)) return true;
    if constexpr (rc::is_inexact_v<T>) return std::abs(a - b) <= tolerance<T>() * (1 + std::abs(b));
    else return false;
}

template <class A, class B>
void check_equal(const A& result, const B& expected) {
    static_assert(std::is_same_v<typename A::value_type, typename B::value_type> && A::rank == B::rank);
    const auto a = result.to(rc::cpu).clone();
    const auto b = expected.to(rc::cpu).clone();
    REQUIRE(rc::to_string(a.shape()) == rc::to_string(b.shape()));
    int wrong = 0;
    for (rc::index_t i = 0; i < a.size(); ++i) wrong += !close(a.data()[i], b.data()[i]);
    CHECK(wrong == 0);
}

/// f of tensors on the CPU and f of their copies on the device.
template <class F, class... X>
void agree(const F& f, const X&... x) {
    const auto expected = rc::evaluate(f(x...));
    const auto result = rc::evaluate(f(x.to(rc::cuda)...));
    static_assert(std::is_same_v<typename decltype(result)::device_type, rc::cuda_device>);
    check_equal(result, expected);
}

/// Normal random numbers times 3, converted to T.
template <class T = double, int R>
auto random_tensor(const int (&extents)[R], std::uint64_t seed = 1) {
    rc::shape<R> shape;
    for (int i = 0; i < R; ++i) shape[i] = extents[i];
    rc::generator g(seed);
    return rc::evaluate(rc::astype<T>(rc::randn<double>(shape, g) * 3.0));
}
