// Arrays of 16-bit floats through every kind of function, against NumPy's values.
#pragma once
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <cstring>

#include "../../golden/half.hpp"
#include "../../reference.hpp"

namespace dtypes {

using namespace ricci;
using reference::values;

template <class H, std::size_t N>
tensor<H, 1> from_bits(const std::uint16_t (&bits)[N]) {
    auto x = empty<H>({static_cast<index_t>(N)});
    std::memcpy(x.data(), bits, sizeof bits);
    return x;
}
/// How far an expression of H is from golden bits, in units of the last place; of NaN beside NaN 0. -1 for another
/// size.
template <class H, class E, std::size_t N>
int distance(const E& e, const std::uint16_t (&golden)[N]) {
    static_assert(std::is_same_v<typename E::value_type, H>);
    const auto got = values(e);
    if (got.size() != N) return -1;
    const auto place = [](std::uint16_t bits) { return bits & 0x8000 ? -(bits & 0x7fff) : bits & 0x7fff; };
    int most = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const float wanted = H::from_bits(golden[i]), have = got[i];
        if (wanted != wanted && have != have) continue;
        most = std::max(most,
                        wanted != wanted || have != have ? 1 << 16 : std::abs(place(got[i].bits) - place(golden[i])));
    }
    return most;
}

template <class H>
void check_half_maps() {
    using golden = ::golden::halves<H>;
    const auto a = from_bits<H>(golden::a), b = from_bits<H>(golden::b), c = from_bits<H>(golden::c);
    CHECK(distance<H>(a + b, golden::sum_of_two) == 0);
    CHECK(distance<H>(a - b, golden::difference) == 0);
    CHECK(distance<H>(a * b, golden::product) == 0);
    CHECK(distance<H>(a / b, golden::quotient) == 0);
    CHECK(distance<H>(maximum(a, b), golden::larger) == 0);
    CHECK(distance<H>(sqrt(abs(a)), golden::root) == 0);
    CHECK(distance<H>(a * 2.7, golden::scaled) == 0);  // a number beside the array becomes 16 bits first
    CHECK(distance<H>((a * b + a) * b - 1, golden::fused) == 0);
    // float's error, a few ulp, moves what is nearly half way between two neighbours
    CHECK(distance<H>(exp(c), golden::exponential) <= 1);
    CHECK(distance<H>(tanh(c), golden::hyperbolic) <= 1);
    CHECK(values(map([](auto x) { return x * x + x; }, c)) == values(c * c + c));
    // strided, reversed, written through a view, in place, and one element at a time
    tensor<H, 1> flipped = a(slice(none, none, -1)) * b(slice(none, none, -1));
    CHECK(distance<H>(flipped(slice(none, none, -1)), golden::product) == 0);
    auto x = a.clone();
    x += b;
    CHECK(distance<H>(x, golden::sum_of_two) == 0);
    x(all) = a - b;
    CHECK(distance<H>(x, golden::difference) == 0);
    for (index_t i = 0; i < a.size(); ++i) x(slice(i, i + 1)) = a(slice(i, i + 1)) / b(slice(i, i + 1));
    CHECK(distance<H>(x, golden::quotient) == 0);
    // through float and back; the conversion rounds wherever it stands
    CHECK(distance<H>(astype<H>(astype<float>(a)), golden::a) == 0);
    CHECK(values(astype<float>(astype<H>(full<float>({40}, 0.1f)))) == std::vector<float>(40, H(0.1f)));
    CHECK(values(astype<std::int32_t>(from_bits<H>(golden::c) * 4)) ==
          values(astype<std::int32_t>(astype<float>(c * 4))));
    CHECK(values(a < b) == values(astype<float>(a) < astype<float>(b)));
    CHECK(values(isnan(a / b)) == values(isnan(astype<float>(a / b))));
}

/// All numbers towards both infinities, where the bits of a magnitude go up or down by one, and towards zero.
template <class H>
void check_half_neighbours() {
    using limits = std::numeric_limits<H>;
    const auto x = tensor<H, 1>::uninitialized({65536});
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = H::from_bits(static_cast<std::uint16_t>(i));
    const auto up = evaluate(nextafter(x, limits::infinity())), down = evaluate(nextafter(x, -limits::infinity())),
               in = evaluate(nextafter(x, 0 * x)), in_place = evaluate(nextafter(x, x));
    int wrong = 0;
    for (index_t i = 0; i < x.size(); ++i) {
        const std::uint16_t magnitude = i & 0x7fff, sign = i & 0x8000, top = limits::infinity().bits;
        const auto bits = [](const auto& y, index_t at) { return y.data()[at].bits; };
        if (magnitude > top) {
            wrong += !(up.at(i) != up.at(i)) + !(down.at(i) != down.at(i)) + !(in.at(i) != in.at(i));
            continue;
        }
        const int larger = sign | (magnitude + (magnitude < top)), smaller = magnitude ? i - 1 : 1 | (sign ^ 0x8000);
        wrong += bits(up, i) != (sign && magnitude ? smaller : (larger & 0x7fff));
        wrong += bits(down, i) != (sign || !magnitude ? (larger | 0x8000) : smaller);
        if (magnitude > 0 && magnitude < top) wrong += bits(in, i) != smaller;
        wrong += bits(in_place, i) != i;
    }
    CHECK(wrong == 0);
    CHECK(float(evaluate(nextafter(tensor<H, 1>{H(1)}, 2))(0).item()) == 1 + float(limits::epsilon()));
    CHECK(nextafter(H(1), H(0)) == 1 - float(limits::epsilon()) / 2);
    CHECK(evaluate(nextafter(tensor<H, 1>{H(1)}, tensor<float, 1>{2})).at(0) == std::nextafter(1.0f, 2.0f));
    CHECK(sum(grad([](const auto& y) { return sum(nextafter(y, 2)); })(astype<H>(ones<float>({3})))).item() == 0);
}

template <class H>
void check_half_arrays() {
    using golden = ::golden::halves<H>;
    const auto c = from_bits<H>(golden::c);
    const auto rows = reshape(c, {5, 7}), columns = reshape(c, {7, 5});
    // sums in double, rounded to float and then to 16 bits: exact but where the first rounding makes a tie
    CHECK(distance<H>(sum(c, keepdims), golden::total) == 0);
    CHECK(distance<H>(sum(rows, 0), golden::total_of_rows) == 0);
    CHECK(distance<H>(mean(c, keepdims), golden::mean) == 0);
    CHECK(distance<H>(var(c, keepdims), golden::variance) == 0);
    CHECK(distance<H>(max(c, keepdims), golden::most) == 0);
    CHECK(distance<H>(cumulative_sum(c), golden::running) == 0);
    CHECK(distance<H>(sort(c), golden::sorted) == 0);
    CHECK(distance<H>(take(c, argsort(c), 0), golden::sorted) == 0);
    CHECK(distance<H>(ravel(matmul(rows, columns)), golden::matrix_product) == 0);
    CHECK(distance<H>(softmax(c, 0), golden::softmax) <= 1);
    CHECK(c.at(argmax(c).item()) == max(c).item());
    // long sums neither stall nor overflow on the way
    CHECK(sum(ones<H>({30000})).item() == H(30000));
    CHECK(mean(full<H>({100000}, 3)).item() == 3);
    CHECK(var(arange<H>(0, 100)).item() == H(833.25));
    CHECK(index_add(zeros<H>({1}), 0, zeros<std::int64_t>({3000}), ones<H>({3000})).at(0) == H(3000));
    CHECK(std::isnan(static_cast<float>(max(tensor<H, 1>{1, std::nanf(""), 3}).item())));
    CHECK(argmax(tensor<H, 1>{1, std::nanf(""), 3}).item() == 1);
    CHECK(allclose(linspace<H>(0, 1, 11) * 10, arange<H>(0, 11), 4e-3));
    const auto r = rand<H>({5000}, generator(3));
    CHECK((min(r).item() >= 0 && max(r).item() < 1));
    CHECK(std::fabs(mean(r).item() - 0.5) < 0.02);  // four standard deviations
}

/// Rank-0 arrays and expressions become numbers of any type, as those of float do.
template <class H>
void check_half_numbers() {
    const tensor<H, 1> x{1.5, -2.25, 8};
    const tensor<H, 0> s = sum(x);
    CHECK(double(sum(x)) == 7.25);
    CHECK((float(s) == 7.25f && static_cast<int>(s) == 7 && H(s) == H(7.25)));
    const double lazy = s * 2 + 1, element = x(1), part = max(x(slice(0, 2)));
    CHECK((lazy == 15.5 && element == -2.25 && part == 1.5));
    float rebound = 0;
    rebound = abs(x(1));
    CHECK(rebound == 2.25f);
    CHECK((s ? true : false));
    CHECK(std::sqrt(double(sum(x * x))) == doctest::Approx(std::sqrt(1.5 * 1.5 + 2.25 * 2.25 + 64)).epsilon(1e-2));
    CHECK(tensor<double, 0>(s).item() == 7.25);
    CHECK(tensor<H, 0>(std::int64_t(-4)).item() == H(-4));
}

template <class H>
void check_half_gradients() {
    using golden = ::golden::halves<H>;
    const auto c = from_bits<H>(golden::c);
    const auto f = [](auto x) { return sum(x * x * x); };
    CHECK(distance<H>(grad(f)(c), golden::gradient) <= 1);
    // the adjoint of what is broadcast is summed in float
    const auto shift = grad([](auto b) { return sum(ones<H>({5000, 3}) * b); })(ones<H>({3}));
    CHECK(values(shift) == std::vector<H>(3, 5000));
    variable<H, 1> w = c;
    backward(f(w));
    CHECK(distance<H>(w.grad(), golden::gradient) <= 1);
}
template <class H>
void check_half_transforms() {
    using golden = ::golden::halves<H>;
    const auto c = from_bits<H>(golden::c);
    const auto f = [](auto x) { return sum(x * x * x); };
    CHECK(distance<H>(vmap(grad(f))(reshape(c, {35, 1}))(all, 0), golden::gradient) <= 1);
    const auto [y, t] = jvp(f, tuple(c), tuple(ones<H>({35})));
    CHECK(distance<H>(index(t, newaxis), {sum(from_bits<H>(golden::gradient)).item().bits}) <= 1);
    const auto product = grad([&](auto a) { return sum(matmul(a, reshape(c, {7, 5}))); })(reshape(c, {5, 7}));
    CHECK(values(product(0, all)) == values(sum(reshape(c, {7, 5}), 1)));
}

}  // namespace dtypes
