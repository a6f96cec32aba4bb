// Reductions to positions against PyTorch, ties and zeros among the values; segments, types, refusals.
#include "../golden/reduce_at.hpp"
#include "../transforms/derivatives.hpp"
#include "close_calls.hpp"

using namespace derivative_checks;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

struct golden_calls {
    tensor<double, 2> x, v, w;
    tensor<double, 2> far = evaluate(x + 100.0);
    tensor<int, 2> k{{0, 0, 3, 1, 0}, {3, -1, 3, 3, 2}, {1, 0, 1, 0, 1}};

    template <reduction How, class A>
    auto reduced(const A& a, bool include_self) const {
        return scatter_reduce<How>(a, 1, k, v, include_self);
    }
    template <reduction How>
    auto gradients(const tensor<double, 2>& at, bool include_self) const {
        return grad([&](auto a, auto b) { return sum(w * scatter_reduce<How>(a, 1, k, b, include_self)); },
                    argnums<0, 1>)(at, v);
    }
    void check() const { RICCI_REDUCE_AT_CASES(RICCI_CHECK_CLOSE); }
};

}  // namespace

TEST_CASE("reduce_at: results and gradients of PyTorch") {
    for (const auto l : {reference::layout::permuted, reference::layout::reversed}) {
        CAPTURE(reference::name(l));
        const auto make = [&](index_t columns, auto value) {
            return reference::make<double>(l, shape{3, columns},
                                           [=](index_t i) { return static_cast<double>(value(static_cast<int>(i))); });
        };
        golden_calls{make(4, [](int i) { return 7 * i % 5 - 2; }), make(5, [](int i) { return 11 * i % 7 % 5 - 1; }),
                     make(4, [](int i) { return 5 * i % 13 - 6; })}
            .check();
    }
}

TEST_CASE("reduce_at: segments, elements, types") {
    const tensor<int, 1> k{1, 0, 1, 3}, v{4, -5, 6, 7};
    CHECK(array_equal(segment_reduce<reduction::sum>(v, k, 4), tensor{-5, 10, 0, 7}));
    CHECK(array_equal(segment_reduce<reduction::prod>(v, k, 4), tensor{-5, 24, 1, 7}));
    CHECK(array_equal(segment_reduce<reduction::amax>(v * 1.5, k, 4), tensor{-7.5, 9.0, -inf, 10.5}));
    CHECK(array_equal(segment_reduce<reduction::mean>(v * 1.0, k, 4), tensor{-5.0, 5.0, 0.0, 7.0}));
    const tensor<int, 2> x{{1, 2}, {3, 4}};
    CHECK(array_equal(index_reduce<reduction::amax>(x, std::tuple(tensor{0, 1, 0}, 1), tensor{9, 1, 5}),
                      tensor{{1, 9}, {3, 4}}));
    CHECK(array_equal(index_reduce<reduction::amin>(x, std::tuple(x > 2), 3), tensor{{1, 2}, {3, 3}}));
    CHECK(array_equal(index_reduce<reduction::amax>(tensor{false, false}, 0, tensor{1, 1}, tensor{false, true}),
                      tensor{false, true}));
    const auto wide = spread({1000, 300});  // rows on several threads
    CHECK(array_equal(segment_reduce<reduction::amin>(wide, full<int>({1000}, 2), 3)(2), min(wide, 0)));
    const tensor<float16, 1> many = full<float16>({5000}, 1.0);  // sums of halves would stop at 2048
    CHECK(double(segment_reduce<reduction::sum>(many, zeros<int>({5000}), 1)(0)) == 5000 - 5000 % 4);
    CHECK(std::isnan(double(segment_reduce<reduction::amax>(tensor{1, std::nan(""), 2}, tensor{0, 0, 0}, 1)(0))));
}

TEST_CASE("reduce_at: errors") {
    const auto x = spread({3, 4});
    CHECK_THROWS_WITH_AS(segment_reduce<reduction::amax>(x, tensor{0, 1, 2}, 2),
                         "[segment_reduce] the number of a segment 2 does not lie between 0 and 1", index_error);
    CHECK_THROWS_WITH_AS(index_reduce<reduction::prod>(x, 0, tensor{0, 1}, spread({3, 4})),
                         "[index_reduce] values of shape (3, 4) do not broadcast to the selected shape (2, 4)",
                         shape_error);
    CHECK_THROWS_WITH_AS(scatter_reduce<reduction::amin>(x, 0, zeros<int>({1, 5}), 0.0),
                         "[scatter_reduce] indices of shape (1, 5) do not fit an array of shape (3, 4) along axis 0",
                         shape_error);
}
