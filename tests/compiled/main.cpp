// Prints what programs with and without the compiled engine must agree on, to the last bit: maps, reductions,
// gradients, copies, threads, memory, and exceptions out of the engine.
#include "unit.hpp"

#include <cstdio>

namespace {

template <class T>
void print(const char* what, T value) {
    std::printf("%s: %a\n", what, static_cast<double>(value));
}
template <class Error, class F>
void print_error(const char* what, F f) {
    try {
        f();
        std::printf("%s: no error\n", what);
    } catch (const Error& e) {
        std::printf("%s: %s\n", what, e.what());
    }
}

void use_threads() {
    rc::set_num_threads(4);
    const auto ones = rc::ones<float>({3000, 1000});
    print("threads", rc::num_threads());
    print("sum of many ones", rc::sum(ones).item());
    print("sum over axis 0", rc::sum(ones, 0)(999).item());
    const auto x = rc::linspace<double>(0.0, 1.0, 1 << 20);
    print("sum of squares", rc::sum(x * x).item());
    print_error<rc::value_error>("thrown by a chunk", [] {
        const auto body = [](void*, rc::index_t i) {
            if (i == 5) rc::detail::raise<rc::value_error>({"chunk ", i});
        };
        rc::detail::parallel_for(64, body, nullptr);
    });
    print_error<rc::value_error>("no threads", [] { rc::set_num_threads(0); });
    rc::set_num_threads(1);
}

void use_memory() {
    rc::empty_cache();
    const auto before = rc::allocator_statistics();
    {
        const auto x = rc::zeros<double>({1000});
        print("bytes in use", rc::allocator_statistics().bytes_in_use - before.bytes_in_use);
    }
    print("bytes left", rc::allocator_statistics().bytes_in_use - before.bytes_in_use);
    rc::set_memory_limit(1 << 20);  // a size that the system refuses would stop the address sanitizer
    print_error<std::bad_alloc>("too much memory", [] { rc::zeros<char>({1 << 21}); });
    rc::set_memory_limit(0);
    double bytes[3] = {1, 2, 4};
    int released = 0;
    {
        const auto count = [](void* n) { ++*static_cast<int*>(n); };
        const auto held = rc::storage::adopt(bytes, sizeof bytes, count, &released);
        print("adopted", static_cast<double*>(held.data())[2]);
    }
    print("released", released);
}

}  // namespace

int main() {
    rc::set_num_threads(1);
    const rc::tensor<float, 2> a = rc::reshape(rc::linspace<float>(-2.0f, 2.0f, 35 * 37), {35, 37});
    const rc::tensor<double, 1> x = rc::exp(rc::linspace<double>(-1.0, 3.0, 101));
    const rc::tensor<float, 2> chain = rc::sin(a) * rc::exp(-a * a) / (1 + a * a);
    print("chain", chain(17, 5).item());
    print("sum", rc::sum(chain).item());
    print("columns", rc::sum(rc::sum(chain, 0) * rc::sum(a, 0)).item());
    print("rows", rc::sum(rc::max(chain, 1)).item());
    const rc::tensor<float, 2> turned = rc::permute(a, {1, 0}) + 1;
    print("transposed", turned(36, 34).item());
    rc::tensor<float, 2> copy = rc::permute(a, {1, 0}).clone();
    copy(rc::slice(1, rc::none, 2), rc::all) = 0.0f;
    print("written in part", rc::sum(copy).item());
    print("stencil",
          rc::sum(rc::square(x(rc::slice(2, rc::none)) - 2 * x(rc::slice(1, -1)) + x(rc::slice(0, -2)))).item());
    const auto square = rc::matmul(a, rc::permute(a, {1, 0}));
    print("product", rc::sum(square * square).item());
    print("products", rc::sum(rc::matmul(rc::reshape(x(rc::slice(0, 96)), {6, 4, 4}), rc::eye<double>(4))).item());
    std::printf("%s\n%s\n", rc::to_string(chain(rc::slice(0, 2), rc::slice(0, 9))).c_str(),
                rc::to_string(x(5)).c_str());
    print("gradient", rc::sum(gradient(x)).item());
    print("stencil's gradient", rc::sum(rc::abs(gradient_of_stencil(x))).item());
    use_threads();
    use_memory();
    print_error<rc::shape_error>("shapes", [&] { static_cast<void>(rc::tensor<float, 2>(a + turned)); });
    print_error<rc::index_error>("axis", [&] { static_cast<void>(rc::sum(a, 2)); });
    print_error<rc::gradient_error>("freed", backward_twice);
}
