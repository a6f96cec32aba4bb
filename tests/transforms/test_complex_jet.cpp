// Taylor mode through complex numbers against nested jvp.
#include "complex.hpp"

using namespace complex_numbers;

namespace {

/// Three derivatives of f along x0 + t x1 + t^2 x2 / 2.
template <class F, class X>
void check_curve(const F& f, const X& x0, const X& x1, const X& x2) {
    const auto [y, series] = jet(f, x0, ricci::tuple(x1, x2, evaluate(0 * x0)));
    const auto along = [&](const auto& t) { return f(x0 + x1 * t + x2 * (t * t * 0.5)); };
    const auto first = [&](const auto& t) { return std::get<1>(jvp(along, t, 1.0)); };
    const auto second = [&](const auto& t) { return std::get<1>(jvp(first, t, 1.0)); };
    const tensor<double, 0> start(0.0);
    check_close(y, f(x0));
    check_close(std::get<0>(series), first(start));
    check_close(std::get<1>(series), second(start));
    check_close(std::get<2>(series), std::get<1>(jvp(second, start, 1.0)));
}

}  // namespace

TEST_CASE("complex: jet") {
    check_curve([](const auto& x) { return abs(exp(ricci::complex(x, x * x)) * w0) * angle(ricci::complex(x, 1.0)); },
                r0, spread({3}), spread({3}, 5));
    check_curve([](const auto& z) { return abs(z * z + w0) * conj(z); }, z0, t0, c0);
}
TEST_CASE("complex: jet and sparsity see through complex intermediates") {
    const auto f = [](const auto& x) { return sum(abs(ricci::complex(x, 2.0 * x))); };
    CHECK(hessian_sparsity(f, r0).columns().size() == 3);
    CHECK(jacobian_sparsity([](const auto& x) { return real(square(ricci::complex(x, x))); }, r0).columns().size() ==
          3);
}
