// The program of every consumer: the umbrella header, compiled with the consumer's own flags (no -march).
#include <ricci/ricci.hpp>

#include <cstdio>

#if RICCI_VERSION_MAJOR * 10000 + RICCI_VERSION_MINOR * 100 + RICCI_VERSION_PATCH < 100
#error "a version of at least 0.1.0 was expected"
#endif

int main() {
    namespace rc = ricci;
    const rc::tensor<float, 1> x = rc::linspace<float>(0.0f, 1.0f, 1001);
    const float y = rc::mean(x * x);
    std::printf("mean of x*x on [0, 1]: %.5f\n", static_cast<double>(y));
    return y > 0.333f && y < 0.334f ? 0 : 1;
}
