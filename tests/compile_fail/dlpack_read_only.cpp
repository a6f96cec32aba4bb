// expect: ricci: to_dlpack of a read-only tensor needs DLManagedTensorVersioned, which can say so
#include <ricci/io.hpp>

int main() {
    const float values[2] = {1, 2};
    const auto x = ricci::borrow(std::span<const float>(values));
#ifdef RICCI_FIXED
    return ricci::to_dlpack<ricci::dlpack::DLManagedTensorVersioned>(x)->dl_tensor.ndim;
#else
    return ricci::to_dlpack(x)->dl_tensor.ndim;
#endif
}
