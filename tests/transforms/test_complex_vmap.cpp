// vmap of complex derivatives, and derivatives of vmap, against loops.
#include "complex.hpp"

using namespace complex_numbers;

namespace {

const auto rows = stack({z0, w0, c0});
const auto f = [](const auto& z) { return sum(abs(z * z * t0) * angle(z)); };

template <class G>
auto looped(const G& g) {
    return stack({evaluate(g(z0)), evaluate(g(w0)), evaluate(g(c0))});
}

}  // namespace

TEST_CASE("complex: vmap of grad and of jvp") {
    check_close(vmap(grad(f))(rows), looped(grad(f)));
    const auto push = [](const auto& z) {
        return std::get<1>(jvp([](const auto& v) { return conj(v) * abs(v) * v; }, z, t0));
    };
    check_close(vmap(push)(rows), looped(push));
}
TEST_CASE("complex: grad of vmap") {
    const auto total = [](const auto& z) { return sum(vmap(f)(z)); };
    check_close(grad(total)(rows), looped(grad(f)));
}
TEST_CASE("complex: vmap of matmul's gradient") {
    const auto g = [](const auto& z) { return grad([&](const auto& v) { return sum(abs(matmul(rows, v * z))); })(z); };
    check_close(vmap(g)(rows), looped(g));
}
