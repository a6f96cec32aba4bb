// What gradients allocate: nothing new from the system once they have run, and no intermediate of a fused map.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

/// Allocations that the system had to serve.
std::uint64_t system_allocations() {
    const auto s = allocator_statistics();
    return s.allocations - s.cache_hits;
}
/// Those of the third to the fifth call, whatever the first two needed.
template <class F>
std::uint64_t new_allocations(const F& step) {
    for (int i = 0; i < 2; ++i) step();
    const auto before = system_allocations();
    for (int i = 0; i < 3; ++i) step();
    return system_allocations() - before;
}
/// The most bytes in use at once during a call, beyond those before.
template <class F>
std::size_t peak_of(const F& f) {
    reset_peak_statistics();
    const auto before = allocator_statistics().bytes_in_use;
    f();
    return allocator_statistics().peak_bytes_in_use - before;
}

/// Threads keep caches of their own, which fill when they first take part.
struct one_thread {
    int before = num_threads();
    one_thread() { set_num_threads(1); }
    ~one_thread() { set_num_threads(before); }
};

constexpr auto chain = [](auto x) { return sum(sin(x) * exp(-x * x) / (1 + x * x)); };

}  // namespace

TEST_CASE("a gradient step that ran before takes no memory from the system") {
    const one_thread alone;
    const auto x = randn<double>({50000}, generator(1));
    CHECK(new_allocations([&] { (void)grad(chain)(x); }) == 0);

    const auto inputs = randn<double>({300, 20}, generator(2)), targets = randn<double>({300, 5}, generator(3));
    auto w = randn<double>({20, 5}, generator(4));
    const auto loss = [&](auto v) { return mean(square(tanh(matmul(inputs, v)) - targets)); };
    CHECK(new_allocations([&] { w = w - 0.1 * grad(loss)(w); }) == 0);

    const auto sample_loss = [](auto v, auto a, auto t) { return sum(square(matmul(a, v) - t)); };
    CHECK(new_allocations([&] { (void)vmap(grad(sample_loss), in_axes(none, 0, 0))(w, inputs, targets); }) == 0);
}

TEST_CASE("the gradient of a fused chain needs the gradient's memory, and no more") {
    const one_thread alone;
    constexpr std::size_t array = 100000 * sizeof(double);
    const auto x = randn<double>({100000}, generator(1));
    (void)grad(chain)(x);
    const std::size_t peak = peak_of([&] { (void)grad(chain)(x); });
    CHECK(peak >= array);
    CHECK(peak < array + array / 4);  // blocks are up to an eighth larger than what they hold
}

TEST_CASE("the gradient of a product needs the products and no copies of them") {
    const one_thread alone;
    const index_t n = 200;
    constexpr std::size_t array = 200 * 200 * sizeof(double);
    const auto a = randn<double>({n, n}, generator(1)), b = randn<double>({n, n}, generator(2));
    const auto f = [&](auto x) { return sum(square(matmul(x, b))); };
    (void)grad(f)(a);
    // the product, its cotangent and the gradient, and packed blocks, each smaller than a matrix
    CHECK(peak_of([&] { (void)grad(f)(a); }) < 6 * array);
}

TEST_CASE("a pullback that runs out of memory leaves no cotangent for the next one to add to") {
    const one_thread alone;
    const auto x = randn<double>({3}, generator(7));
    const auto wide = [](auto v) {  // so many vertices wait at a time that their queue grows
        std::vector<decltype(cumsum(v, 0))> parts;
        for (int i = 0; i < 40; ++i) parts.push_back(cumsum((i + 1) * v, 0));
        return sum(concat(parts, 0));
    };
    const auto [y, pull] = vjp(wide, x);
    const tensor<double, 0> one(1.0);
    const auto expected = pull(one);
    struct unlimited {
        ~unlimited() { set_memory_limit(0); }
    };
    int failures = 0;
    for (std::size_t room = 0, served = 0; served < 3; room += 64) {
        empty_cache();
        const unlimited at_the_end;
        set_memory_limit(allocator_statistics().bytes_in_use + room);
        try {
            (void)pull(one);
            ++served;
        } catch (const std::bad_alloc&) {
            ++failures;
        }
        set_memory_limit(0);
        const auto again = pull(one);
        for (index_t i = 0; i < 3; ++i) CHECK(again.at(i) == expected.at(i));
    }
    CHECK(failures > 10);
}
