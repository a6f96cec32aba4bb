// expect only: ricci: the type of elements is no text: tensor<float, 1>{1, 2}
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
#ifdef RICCI_FIXED
    const rc::tensor<float, 1> y{1.0, 2.0};
#else
    const rc::tensor y({1.0, 2.0}, "float");
#endif
    return static_cast<int>(sizeof y);
}
