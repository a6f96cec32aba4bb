// Built against the components zlib and png: the headers that need them compile, and what they need is linked.
#include <ricci/io.hpp>

#if !defined(RICCI_USE_ZLIB) || !defined(RICCI_USE_PNG)
#error "the components set their macros"
#endif

int main() {
    const ricci::tensor<float, 2> x{{0, 1}, {0.5f, 0.25f}};
    ricci::save_npz_compressed("consumer.npz", {{"x", x}});
    ricci::save_png("consumer.png", ricci::load_npz<float, 2>("consumer.npz", "x"));
    return ricci::load_png<float, 2>("consumer.png").at(0, 1) == 1 ? 0 : 1;
}
