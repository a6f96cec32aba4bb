// What indexing with arrays promises beside its values: errors before anything is written, overlap, kinds of indices,
// sizes of 0.
#include <ricci/ops/strided.hpp>

#include "indexing.hpp"

using namespace indexing;
using reference::message;

TEST_CASE("indexing: lists in braces (the examples of PyTorch 0.2's notes)") {
    const auto x = reshape(arange<int>(125), {5, 5, 5});
    const index_t n = 3;
    CHECK(values(x({1, 2}, {n, 2}, {1, 0})) == ints{41, 60});
    CHECK(values(x({2, 3, 2}, {0}, {1})) == ints{51, 76, 51});
    CHECK(values(x({{1, 0}, {0, 1}}, {0}, {1})) == ints{26, 1, 1, 26});
    CHECK(values(x({0, 3}, ellipsis)) == values(stack({x(0), x(3)})));
    const tensor<int, 1> y{0, 2};
    CHECK(values(x(y, all, all)) == values(stack({x(0), x(2)})));
    CHECK(values(x(all, {4}, 0)) == ints{20, 45, 70, 95, 120});
    CHECK(values(x({1, 3}, 0, 0)) == ints{25, 75});
    const auto z = x.clone();
    z({0, 1}, {0, 1}, {0, 1}) = -1;
    z({0, 3}, ellipsis, 4) += 1000;
    CHECK(z.at(0, 0, 0) == -1);
    CHECK(z.at(1, 1, 1) == -1);
    CHECK(z.at(3, 2, 4) == 1089);
}
TEST_CASE("indexing: any integer type, lazy indices, lazy data") {
    const auto x = arange<int>(300);
    CHECK(values(x(tensor<std::uint8_t, 1>{255, 0})) == ints{255, 0});
    CHECK(values(x(tensor<std::int8_t, 1>{-1, 3})) == ints{299, 3});
    CHECK(values(x(tensor<std::uint64_t, 1>{7})) == ints{7});
    CHECK(values(x(arange<short>(3) * 2 - 1)) == ints{299, 1, 3});
    CHECK(values((x * 2 + 1)(tensor<int, 1>{4, -1})) == ints{9, 599});
    CHECK(values((x + tensor<int, 2>{{0}, {1000}})(all, {4, -1})) == ints{4, 299, 1004, 1299});
    const tensor<int, 2> wide{{0}, {1000}};
    CHECK(values((x + wide)({1, 0}, slice(0, 2))) == ints{1000, 1001, 0, 1});  // more than half: computed first
    CHECK(values((-x)(slice(4, none, 2), newaxis)(tensor<int, 2>{{0}, {1}}, 0)) == ints{-4, -6});
    CHECK(values((x + 1)(x > 296)) == ints{298, 299, 300});
    CHECK(sum(x(x > 290)).item() == 291 * 9 + 36);
    CHECK(values(x(tensor<int, 1>{1, 2}) + x({3, 4})) == ints{4, 6});
    tensor<int, 1> kept = x({5, 6});
    kept = x(tensor<int, 1>{8});
    CHECK(values(kept) == ints{8});
    const int picked = x(tensor<int, 0>(9));
    CHECK(picked == 9);
}
TEST_CASE("indexing: what is fetched later sees the tensor as it is then, what is evaluated is a copy") {
    const auto x = arange<int>(4);
    const auto later = x({1, 2});
    const auto copy = evaluate(later);
    x(1) = 10;
    CHECK(values(later) == ints{10, 2});
    CHECK(values(copy) == ints{1, 2});
    CHECK(sum(later).item() == 12);
}
TEST_CASE("indexing: errors name index, axis and size, and nothing is written") {
    const auto x = numbers();
    const auto before = values(x);
    const tensor<int, 1> far{0, 4}, fine{0, 1}, three{0, 1, 2};
    CHECK(message<index_error>([&] { evaluate(x(all, far)); }) == "index 4 is out of bounds for axis 1 with size 4");
    CHECK(message<index_error>([&] { evaluate(x(fine, all, tensor<int, 1>{1, -6})); }) ==
          "index -6 is out of bounds for axis 2 with size 5");
    CHECK(message<index_error>([&] {
              evaluate(x(tensor<std::uint64_t, 1>{~std::uint64_t(0)}));
          }).find("axis 0 with size 3") != std::string::npos);
    CHECK(message<index_error>([&] { x(all, far) = 7; }) == "index 4 is out of bounds for axis 1 with size 4");
    CHECK(message<index_error>([&] { x(fine, far).add(7); }) == "index 4 is out of bounds for axis 1 with size 4");
    CHECK(message<index_error>([&] { x(3, fine) = 7; }) == "index 3 is out of bounds for axis 0 with size 3");
    CHECK(message<shape_error>([&] { x(fine, three); }) ==
          "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0: shapes (2,) and "
          "(3,)");
    CHECK(message<shape_error>([&] { x(fine) = counting(shape{3, 4, 5}, 0); }) ==
          "[assign] shape (3, 4, 5) does not broadcast to the selection's shape (2, 4, 5)");
    CHECK(message<index_error>([&] { x(all, tensor<bool, 1>{true, false, true}) = 7; }) ==
          "[index] a mask of shape (3,) does not fit an array of shape (3, 4, 5): axis 1 has size 4, the mask 3");
    CHECK(message<shape_error>([&] { x(x > 57) = tensor<int, 1>{1, 2, 3}; }) ==
          "[assign] shape (3,) does not broadcast to the selection's shape (2,)");
    CHECK(message<value_error>([&] { as_strided(x, {3}, {0})(fine) = 1; }).find("repeats its elements") !=
          std::string::npos);
    CHECK(message<shape_error>([&] { masked_scatter(x, x > 50, fine); }) ==
          "[masked_scatter] the mask selects 9 elements, and there are 2 values");
    CHECK(message<shape_error>([&] { gather(x, 0, zeros<int>({1, 5, 1})); }) ==
          "[gather] indices of shape (1, 5, 1) do not fit an array of shape (3, 4, 5) along axis 0");
    CHECK(message<shape_error>([&] { index_put(x, ricci::tuple(fine), three); }) ==
          "[index_put] values of shape (3,) do not broadcast to the selected shape (2, 4, 5)");
    CHECK(message<index_error>([&] { take(x, far, 3); }) == "[take] axis 3 is out of range for rank 3");
    CHECK(message<index_error>([&] { scatter_add(x, 0, zeros<int>({1, 1, 1}) + 3, 1); }) ==
          "index 3 is out of bounds for axis 0 with size 3");
    CHECK(values(x) == before);
}
TEST_CASE("indexing: the right side and the indices may be what is written") {
    auto x = arange<int>(6);
    x({1, 2, 3, 4, 5}) = x(slice(0, 5));
    CHECK(values(x) == ints{0, 0, 1, 2, 3, 4});
    x = arange<int>(6);
    x({5, 4, 3, 2, 1, 0}) = x;
    CHECK(values(x) == ints{5, 4, 3, 2, 1, 0});
    x = tensor<int, 1>{2, 0, 1};
    x(x) = x + 10;
    CHECK(values(x) == ints{10, 11, 12});
    x = tensor<int, 1>{2, 0, 1};
    x(x).add(x);
    CHECK(values(x) == ints{2, 1, 3});
    x = arange<int>(6);
    x(x > 2) = x(slice(0, 3));
    CHECK(values(x) == ints{0, 1, 2, 0, 1, 2});
    x({0, 1}) = x({4, 5});
    CHECK(values(x) == ints{1, 2, 2, 0, 1, 2});
    tensor<bool, 1> b{true, false, true};
    b(b) = tensor<bool, 1>{false, true};
    CHECK(values(b) == std::vector<bool>{false, false, true});
}
TEST_CASE("indexing: an element that is named several times") {
    auto x = zeros<int>({3});
    x({1, 1, 2}) = tensor<int, 1>{5, 6, 7};
    CHECK(values(x) == ints{0, 6, 7});
    x({0, 0, 0}) += 1;
    CHECK(values(x) == ints{1, 6, 7});
    x({0, 0, 0}).add(1);
    CHECK(values(x) == ints{4, 6, 7});
    x(x > 5).add(1);
    x(tensor<bool, 1>{true, false, false}) *= 2;
    CHECK(values(x) == ints{8, 7, 8});
    // numpy.multiply.at, maximum.at, minimum.at
    auto y = ones<double>({2, 3});
    y(all, {0, 0, 2}).multiply(tensor<double, 2>{{2, 3, 4}, {5, 6, 7}});
    CHECK(array_equal(y, tensor<double, 2>{{6, 1, 4}, {30, 1, 7}}));
    y(1, {0, 0, 1}).minimum(tensor<double, 1>{9, 8, -1});
    y({0, 0}, {1, 1}).maximum(tensor<double, 1>{3, 2});
    CHECK(array_equal(y, tensor<double, 2>{{6, 3, 4}, {8, -1, 7}}));
    y(y > 5).maximum(7);
    y(y < 4).multiply(2);
    y(y < 0).minimum(-3);
    CHECK(array_equal(y, tensor<double, 2>{{7, 6, 4}, {8, -3, 7}}));
    tensor<float16, 1> h = astype<float16>(tensor<float, 1>{1, 2});
    h({0, 0}).maximum(tensor<float, 1>{5, 3});
    CHECK(array_equal(astype<float>(h), tensor<float, 1>{5, 2}));
}
TEST_CASE("indexing: sizes of 0") {
    const auto x = numbers();
    const tensor<int, 1> nothing;
    CHECK(x(nothing).shape() == shape{0, 4, 5});
    CHECK(x(all, nothing, nothing).shape() == shape{3, 0});
    x(nothing) = 3;
    const auto empty = zeros<int>({3, 0});
    CHECK(empty(tensor<int, 1>{0, 2}).shape() == shape{2, 0});
    CHECK(evaluate(empty(tensor<int, 1>{0, 2})).size() == 0);
    CHECK(message<index_error>([&] { evaluate(empty(tensor<int, 1>{3})); }) ==
          "index 3 is out of bounds for axis 0 with size 3");
    CHECK(message<index_error>([&] { evaluate(empty(0, tensor<int, 1>{0})); }) ==
          "index 0 is out of bounds for axis 1 with size 0");
    CHECK(empty(empty > 0).shape() == shape{0});
    CHECK(argwhere(empty).shape() == shape{0, 2});
    CHECK(values(x) == values(numbers()));
}
TEST_CASE("indexing: many elements, on several threads") {
    const index_t n = 200000;
    const auto i = reference::make<std::int64_t>(reference::layout::contiguous, shape{n},
                                                 [](index_t k) { return k * 7919 % 1000; });
    const auto table = reshape(arange<float>(1000 * 3), {1000, 3});
    const auto y = evaluate(table(i));
    bool right = true;
    for (index_t k = 0; k < n; ++k) right = right && y.at(k, 2) == table.at(i.at(k), 2);
    CHECK(right);
    auto counts = zeros<int>({1000});
    counts(i).add(1);
    CHECK(values(counts) == ints(1000, 200));
    // the same bits on any number of threads: rows of 256 columns, shared between threads by columns
    const auto many = reshape(arange<float>(2000 * 256), {2000, 256});
    const auto few = reference::make<int>(reference::layout::contiguous, shape{2000}, [](index_t k) { return k % 7; });
    const auto sums = [&](int threads) {
        set_num_threads(threads);
        const auto s = index_add(zeros<float>({7, 256}), 0, few, many * 1.1F);
        set_num_threads(2);
        return values(s);
    };
    CHECK(sums(1) == sums(4));
    const auto big =
        reference::make<int>(reference::layout::contiguous, shape{100003}, [](index_t k) { return k % 17; });
    const auto chosen = evaluate(big(big > 11));
    right = true;
    index_t k = 0;
    for (index_t j = 0; j < big.size(); ++j)
        if (big.at(j) > 11) right = right && k < chosen.size() && chosen.at(k++) == big.at(j);
    CHECK(right);
    CHECK(k == chosen.size());
}

TEST_CASE("take: one position") {
    const auto x = evaluate(reshape(arange<int>(6), {2, 3}));
    CHECK(values(take(x, 1, 0)) == std::vector<int>{3, 4, 5});
    CHECK(values(take(x, -1, 1)) == std::vector<int>{2, 5});
    CHECK(take(x, 4).item() == 4);
    CHECK_THROWS_AS(take(x, 3, 1), index_error);
}

TEST_CASE("index: a tuple of indices") {
    const auto x = evaluate(reshape(arange<int>(6), {2, 3}));
    CHECK(values(evaluate(x(nonzero(x % 2 == 1)))) == std::vector<int>{1, 3, 5});
    CHECK(values(evaluate(x(ricci::tuple(1, slice(1, none))))) == std::vector<int>{4, 5});
    x(nonzero(x > 3)) = 9;
    CHECK(values(x) == std::vector<int>{0, 1, 2, 3, 9, 9});
}

TEST_CASE("indexing: few columns of long tables") {
    const index_t n = 10007, m = 5;  // more than what one piece of a scatter has
    const auto start = [&] { return evaluate(reshape(arange<int>(n * m), {n, m})); };
    const auto x = start();
    const tensor<int, 1> c{3, 0, -1};
    const tensor<int, 2> pairs{{4, 1}, {1, 2}};
    const auto read = evaluate(x(all, c));
    const auto paired = evaluate(x(all, pairs));
    const auto turned = evaluate(matrix_transpose(x)(c));
    auto written = start(), added = start();
    written(all, c) = -read;
    written(all, {1, 1}) = tensor<int, 1>{7, 8};  // the last one stays
    added(all, pairs).add(paired);
    bool right = true;
    for (index_t i = 0; i < n && right; ++i) {
        const int first = static_cast<int>(i * m);
        for (index_t k = 0; k < 3; ++k) {
            const int at = first + (c.at(k) + 5) % 5;
            right = right && read.at(i, k) == at && turned.at(k, i) == at;
        }
        for (index_t k = 0; k < 4; ++k) right = right && paired.at(i, k / 2, k % 2) == first + pairs.at(k / 2, k % 2);
        right = right && written.at(i, 0) == -first && written.at(i, 1) == 8 && written.at(i, 2) == first + 2 &&
                written.at(i, 3) == -first - 3 && written.at(i, 4) == -first - 4;
        right = right && added.at(i, 0) == first && added.at(i, 1) == 3 * (first + 1) &&
                added.at(i, 2) == 2 * (first + 2) && added.at(i, 3) == first + 3 && added.at(i, 4) == 2 * (first + 4);
    }
    CHECK(right);
}

TEST_CASE("indexing: one more in place") {
    tensor<int, 1> counts = zeros<int>({4});
    counts(1)++;
    ++counts(-1);
    counts(tensor{0, 1})++;
    CHECK(values(counts) == ints{1, 2, 0, 1});
    ++counts;
    counts(counts > 2)++;
    CHECK(values(counts) == ints{2, 4, 1, 2});
}
