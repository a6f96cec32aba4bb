// take, gather, scatter, index_add, masked_select, nonzero, argwhere and their relatives against NumPy's results.
#include "indexing.hpp"

using namespace indexing;

#define RICCI_CHECK_INDEXED(call, shape, elements) \
    ::indexing::check_values(#call, RICCI_STRIP call, {RICCI_STRIP shape}, {RICCI_STRIP elements});

TEST_CASE("indexing: functions of indices") {
    RICCI_NAMES;
    const tensor<int, 3> order(RICCI_ORDER), lines{{{0, 2, 1, 1, -1}}};
    const tensor<std::int64_t, 3> part{{{1, 1, 3}, {2, 0, 3}}, {{1, 1, 3}, {2, 0, 3}}};
    const auto fours = every(shape{3, 4, 5}, 4, 1), twenties = every(shape{3, 4, 5}, 20, 3);
    const auto x = numbers(reference::layout::permuted);
    RICCI_FUNCTION_CASES(RICCI_CHECK_INDEXED);
}
TEST_CASE("indexing: a tuple of positions selects what its mask selects") {
    const auto x = numbers();
    const auto mask = every(shape{3, 4, 5}, 3, 0);
    std::apply([&](const auto&... i) { CHECK(values(x(i...)) == values(x(mask))); }, nonzero(mask));
    CHECK(std::get<0>(nonzero(tensor<double, 0>(0))).size() == 0);
}
TEST_CASE("indexing: along any axis of many members, in the order of the positions") {
    const shape<3> extents{60, 37, 90};
    const auto turned = [](const auto& a) { return permute(a, {2, 1, 0}); };
    for (const int threads : {1, 3}) {
        set_num_threads(threads);
        for (const int axis : {0, 1, 2}) {
            auto some = extents;
            some[axis] = 45;  // positions of each line, the later ones of the same elements
            const auto x = reshape(astype<double>(arange(extents.count())), extents);
            const auto v = reshape(astype<double>(arange(some.count()) % 97), some);
            auto at = zeros<std::int64_t>(some);
            auto sums = x.clone(), last = x.clone(), taken = zeros<double>(some);
            for (index_t i = 0; i < some[0]; ++i)
                for (index_t j = 0; j < some[1]; ++j)
                    for (index_t k = 0; k < some[2]; ++k) {
                        const index_t p = (i * 7 + j * 11 + k * 5) % extents[axis];
                        index_t to[3]{i, j, k};
                        to[axis] = p;
                        at.at(i, j, k) = (i + j + k) % 3 == 0 ? p - extents[axis] : p;
                        sums.at(to[0], to[1], to[2]) += v.at(i, j, k);
                        last.at(to[0], to[1], to[2]) = v.at(i, j, k);
                        taken.at(i, j, k) = x.at(to[0], to[1], to[2]);
                    }
            CHECK(array_equal(scatter_add(x, axis, at, v), sums));
            CHECK(array_equal(put_along_axis(x, at, v, axis), last));
            CHECK(array_equal(take_along_axis(x, at, axis), taken));
            CHECK(array_equal(scatter_add(astype<float>(x), axis, at, v), astype<float>(sums)));
            CHECK(array_equal(gather(turned(x), 2 - axis, turned(at)), turned(taken)));
            CHECK(array_equal(scatter_add(turned(x), 2 - axis, turned(at), turned(v)), turned(sums)));
            // lines of their own alone: the others keep what they have
            const auto few = slice(0, 20);
            const auto part = axis == 0 ? at(all, few, few) : at(few, all, few);
            const auto of_part = axis == 0 ? v(all, few, few) : v(few, all, few);
            if (axis < 2) {
                const auto y = scatter_add(x, axis, part, of_part);
                const auto inside = [&](const auto& a) { return axis == 0 ? a(all, few, few) : a(few, all, few); };
                CHECK(array_equal(inside(y), inside(sums)));
                CHECK(array_equal(y(slice(40, none), slice(30, none), 50), x(slice(40, none), slice(30, none), 50)));
            }
            at.at(44, 36, 44) = extents[axis];
            CHECK_THROWS_WITH_AS(scatter_add(x, axis, at, v), doctest::Contains("is out of bounds for axis"),
                                 index_error);
            CHECK_THROWS_AS(take_along_axis(x, at, axis), index_error);
        }
    }
    set_num_threads(1);
}
TEST_CASE("indexing: sums into a copy") {
    const auto x = ones<float16>({4, 3});
    const auto kept = x.clone();
    const auto y = index_add(x, 0, tensor{1, 1, -1}, astype<float16>(full({3, 3}, 0.25)));
    static_assert(std::is_same_v<decltype(y)::value_type, float16>);
    CHECK(values(astype<double>(y(all, 0))) == std::vector<double>{1, 1.5, 1, 1.25});
    CHECK(array_equal(x, kept));
    const auto view = zeros<double>({6, 4})(slice(none, none, 2)).T();  // not dense
    CHECK(values(index_add(view, 1, tensor{2, 2, 0}, 1.0)(3)) == std::vector<double>{1, 0, 2});
    CHECK(sum(abs(view)).item() == 0);
    // no array of sums is made: the copy is all
    const auto big = zeros<double>({1000, 100});
    const auto rows = arange(1000L);
    reset_peak_statistics();
    const auto before = allocator_statistics().bytes_in_use;
    const auto more = index_add(big, 0, rows, big);
    CHECK(allocator_statistics().peak_bytes_in_use - before < 1000 * 100 * 8 * 3 / 2);
    CHECK(more.size() == big.size());
}
