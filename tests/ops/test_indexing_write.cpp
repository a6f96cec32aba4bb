// Writing through index arrays and masks against NumPy's results, into every memory layout.
#include "indexing.hpp"

using namespace indexing;

#define RICCI_CHECK_WRITING(index, assigned, raised)    \
    {                                                   \
        CAPTURE("x" #index);                            \
        const auto x = numbers(l);                      \
        x index = counting((x index).shape(), 100);     \
        CHECK(values(x) == ints{RICCI_STRIP assigned}); \
        x index += 1000;                                \
        CHECK(values(x) == ints{RICCI_STRIP raised});   \
    }

TEST_CASE("indexing: assigning to what arrays and masks select; the last value stays") {
    RICCI_NAMES;
    for (const auto l : {reference::layout::contiguous, reference::layout::permuted, reference::layout::reversed,
                         reference::layout::strided}) {
        CAPTURE(reference::name(l));
        RICCI_WRITE_CASES(RICCI_CHECK_WRITING);
    }
}

template <class T>
void check_mask(double share, index_t n, index_t step) {
    CAPTURE(share);
    CAPTURE(n);
    const auto x = evaluate(astype<T>(arange<int>(n * step) % 100))(slice(none, none, step));
    const auto mask = evaluate(rand({n}, generator(5)) < share);
    const auto fresh = evaluate(astype<T>(arange<int>(1, 1 + static_cast<int>(sum(mask).item()))));
    std::vector<T> expected;
    for (index_t i = 0, k = 0; i < n; ++i) expected.push_back(mask.at(i) ? fresh.at(k++) : x.at(i));
    x(mask) = fresh;
    CHECK(values(x) == expected);
    for (index_t i = 0; i < n; ++i)
        if (mask.at(i)) expected[static_cast<std::size_t>(i)] += T(2);
    x(mask) += T(2);
    CHECK(values(x) == expected);
    for (index_t i = 0, k = 0; i < n; ++i)
        if (mask.at(i)) expected[static_cast<std::size_t>(i)] *= fresh.at(k++);
    x(mask) *= fresh;
    CHECK(values(x) == expected);
}

TEST_CASE_TEMPLATE("indexing: masks over many elements of every size", T, std::uint8_t, std::int16_t, float, double,
                   std::complex<double>) {
    for (const double share : {0.0, 0.03, 0.5, 0.97, 1.0})
        for (const index_t n : {1, 7, 8, 9, 64, 517}) {
            check_mask<T>(share, n, 1);
            check_mask<T>(share, n, 2);
        }
}

TEST_CASE("indexing: adding by indices from either end; nothing is written where the last one is wrong") {
    for (const index_t n : {1, 7, 1024, 1025, 5000})
        for (const index_t columns : {1, 3, 200})
            for (const index_t last : {10, -11}) {
                CAPTURE(n);
                CAPTURE(columns);
                const auto x = zeros<float>({10, columns});
                const auto rows = evaluate(arange<index_t>(n) % index_t(10));
                const auto y = ones<float>({n, columns});
                x(rows).add(y);
                x(evaluate(rows - index_t(10))).add(y);
                x(astype<int>(rows), all).add(y);
                const auto named = sum(astype<float>(rows == arange<index_t>(10)(all, newaxis)), 1, keepdims);
                CHECK(array_equal(x, evaluate(named * 3.0F + zeros<float>({1, columns}))));
                const auto before = x.clone();
                rows(n - 1) = last;
                CHECK_THROWS_AS(x(rows).add(y), index_error);
                CHECK_THROWS_AS(x(rows) = y, index_error);
                CHECK_THROWS_AS(x(astype<int>(rows)) = y, index_error);
                CHECK_THROWS_AS(index_put(x, ricci::tuple(rows), y), index_error);
                CHECK(array_equal(x, before));
            }
}

template <class T>
void check_long_gathers() {
    for (const index_t n : {1, 5, 1023, 2051})
        for (const index_t odd_one : {index_t(0), n / 2, n - 1}) {
            CAPTURE(n);
            CAPTURE(odd_one);
            const auto x = evaluate(astype<T>(arange<index_t>(97)));
            const auto at = evaluate(arange<index_t>(n) * index_t(31) % index_t(97));
            at(odd_one) -= 97;  // counted from the end
            const auto y = evaluate(x(at));
            bool right = true;
            for (index_t t = 0; t < n; ++t) right &= y(t) == static_cast<T>(t * 31 % 97);
            CHECK(right);
            const auto before = y.clone();
            for (const index_t wrong : {97, -98}) {
                at(odd_one) = wrong;
                CHECK_THROWS_AS(evaluate(x(at)), index_error);
                CHECK_THROWS_AS(y(all) = x(at), index_error);
                CHECK(array_equal(y, before));
            }
        }
}
TEST_CASE("indexing: long lists of elements, one of which counts from the end or is wrong") {
    check_long_gathers<std::int16_t>();
    check_long_gathers<float>();
    check_long_gathers<double>();
    check_long_gathers<std::complex<double>>();
}

TEST_CASE("indexing: what a mask leaves out stays to the bit") {
    const auto x = full<std::int64_t>({3}, std::numeric_limits<std::int64_t>::max());
    x(tensor<bool, 1>{true, false, false}) = 1;
    x(tensor<bool, 1>{true, false, false}) = x(tensor<bool, 1>{true, false, false}) + 1.5;  // computed in double
    CHECK(values(x) == std::vector<std::int64_t>{2, std::numeric_limits<std::int64_t>::max(),
                                                 std::numeric_limits<std::int64_t>::max()});
    const auto bits = evaluate(arange<int>(20) % 3 == 0);
    bits(bits) = tensor<bool, 1>{false, true, true, true, true, true, false};  // the mask is what is written
    CHECK(values(std::get<0>(nonzero(bits))) == std::vector<index_t>{3, 6, 9, 12, 15});
}

TEST_CASE("in place: remainders, bits and shifts, of tensors, views and selections") {
    tensor<int, 1> x{5, 6, 7, 8};
    const auto other = x;
    x %= 4;
    CHECK(values(other) == ints{1, 2, 3, 0});
    x <<= 2;
    CHECK(values(x) == ints{4, 8, 12, 0});
    x |= tensor<int, 1>{1, 2, 0, 3};
    CHECK(values(x) == ints{5, 10, 12, 3});
    x &= 6;
    CHECK(values(x) == ints{4, 2, 4, 2});
    x ^= x(slice(none, none, -1));  // overlaps
    CHECK(values(x) == ints{6, 6, 6, 6});
    x >>= tensor<int, 1>{0, 1, 2, 3};
    CHECK(values(x) == ints{6, 3, 1, 0});
    x(slice(0, 2)) %= 4;
    x(tensor<int, 1>{3, 2}) |= tensor<int, 1>{8, 4};
    x(x == 3) <<= 1;
    CHECK(values(x) == ints{2, 6, 5, 8});
    tensor<bool, 1> truth{true, false};
    truth ^= tensor<bool, 1>{true, true};
    CHECK(values(truth) == std::vector<bool>{false, true});
    CHECK_THROWS_AS(x %= (tensor<int, 1>{1, 2, 3}), shape_error);
    tensor<double, 1> y{5.5, -1};
    y %= 2;
    CHECK(values(y) == std::vector<double>{1.5, 1});
}
