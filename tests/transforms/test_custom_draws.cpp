// Random numbers that checkpoints and functions with rules of their own draw inside of vmap: those that the mapped
// function would draw itself, for all members their own, the same ones backward as forward.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto noisy = [](auto a, generator& g) { return sum(a * a * rand_like(a, g)); };
const auto kept = [](generator& g) {
    return [&g](auto a) { return checkpoint([&g](auto b) { return noisy(b, g); }, a); };
};
const auto plain = [](generator& g) { return [&g](auto a) { return noisy(a, g); }; };
const auto rows = spread({5, 3});

}  // namespace

TEST_CASE("checkpoint: members of a batch draw numbers of their own, in chunks too") {
    for (const index_t size : {index_t(5), index_t(2)}) {
        const vmap_options options{.chunk_size = size, .randomness = randomness::different};
        generator a(3), b(3);
        check_close(vmap(kept(a), options)(rows), vmap(plain(b), options)(rows));
        check_close(vmap(grad(kept(a)), options)(rows), vmap(grad(plain(b)), options)(rows));
        CHECK(array_equal(rand<double>({2}, a), rand<double>({2}, b)));
    }
}
TEST_CASE("checkpoint: the backward pass after the vmap draws what the forward pass drew") {
    const vmap_options options{.chunk_size = 2, .randomness = randomness::different};
    generator a(3), b(3);
    const auto total = [&](auto f) { return grad([f, options](auto x) { return sum(vmap(f, options)(x)); })(rows); };
    check_close(total(kept(a)), total(plain(b)));
    const auto along = [&](auto f) {
        return std::get<1>(jvp([f, options](auto x) { return vmap(f, options)(x); }, rows, rows));
    };
    check_close(along(kept(a)), along(plain(b)));
}
TEST_CASE("checkpoint: batches of batches, of which one draws for its members") {
    const vmap_options own{.randomness = randomness::different}, shared{.randomness = randomness::same};
    const auto cube = spread({2, 4, 3});
    const auto each = [&](auto f, auto outer, auto inner) { return vmap(vmap(grad(f), inner), outer)(cube); };
    generator a(3), b(3);
    check_close(each(kept(a), own, own), each(plain(b), own, own));
    check_close(each(kept(a), own, shared), each(plain(b), own, shared));
    check_close(each(kept(a), shared, own), each(plain(b), shared, own));
    CHECK_THROWS_AS(vmap(kept(a))(rows), value_error);
}
