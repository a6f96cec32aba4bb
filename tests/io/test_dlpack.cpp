// to_dlpack and from_dlpack: the standard's layout, sharing without a copy, who frees what and when, and what is
// refused.
#include <ricci/io/dlpack.hpp>
#include <ricci/ricci.hpp>

#include <cstddef>

#include "files.hpp"

using namespace ricci;
using files::complaint;

// The standard's ABI on 64-bit machines.
static_assert(sizeof(dlpack::DLTensor) == 48 && offsetof(dlpack::DLTensor, device) == 8);
static_assert(offsetof(dlpack::DLTensor, ndim) == 16 && offsetof(dlpack::DLTensor, dtype) == 20);
static_assert(offsetof(dlpack::DLTensor, shape) == 24 && offsetof(dlpack::DLTensor, strides) == 32);
static_assert(offsetof(dlpack::DLTensor, byte_offset) == 40);
static_assert(sizeof(dlpack::DLManagedTensor) == 64 && offsetof(dlpack::DLManagedTensor, manager_ctx) == 48);
static_assert(sizeof(dlpack::DLManagedTensorVersioned) == 80 &&
              offsetof(dlpack::DLManagedTensorVersioned, flags) == 24);
static_assert(offsetof(dlpack::DLManagedTensorVersioned, dl_tensor) == 32);

// As another library's header has them: an enumeration for the device, other names for the types.
namespace foreign {
enum device_kind : int { kDLCPU = 1, kDLCUDA = 2 };
struct device {
    device_kind device_type;
    std::int32_t device_id;
};
struct tensor {
    void* data;
    foreign::device device;
    std::int32_t ndim;
    struct {
        std::uint8_t code, bits;
        std::uint16_t lanes;
    } dtype;
    std::int64_t *shape, *strides;
    std::uint64_t byte_offset;
};
struct managed {
    tensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(managed*);
};

/// A tensor of another library's: six floats behind a header of 8 bytes; counts how often it was deleted.
struct owner {
    alignas(64) float data[8] = {-1, -1, 0, 1, 2, 3, 4, 5};
    std::int64_t shape[2] = {2, 3}, strides[2] = {3, 1};
    int deleted = 0;
    managed m{{data, {kDLCPU, 0}, 2, {2, 32, 1}, shape, strides, 8}, this, [](managed* self) {
                  ++static_cast<owner*>(self->manager_ctx)->deleted;
              }};
};
}  // namespace foreign

namespace {

template <class T = float, int R = 2>
std::string refused(foreign::owner& x) {
    const std::string text = complaint<error>([&] { from_dlpack<T, R>(&x.m); });
    CHECK(x.deleted == 0);  // it is still the caller's
    return text;
}

}  // namespace

TEST_CASE("dlpack: an exported tensor shares its elements and keeps them alive") {
    std::uint32_t owners = 0;
    dlpack::DLManagedTensor* managed = nullptr;
    const storage* memory = nullptr;
    auto keep = tensor<double, 2>{{1, 2, 3}, {4, 5, 6}};
    memory = &keep.memory();
    {
        const auto view = permute(keep, {1, 0});
        owners = memory->use_count();
        managed = to_dlpack(tensor<double, 2>(view));
    }
    const dlpack::DLTensor& t = managed->dl_tensor;
    CHECK(t.device.device_type == dlpack::cpu);
    CHECK(t.ndim == 2);
    CHECK(t.shape[0] == 3);
    CHECK(t.shape[1] == 2);
    CHECK(t.dtype.code == 2);
    CHECK(t.dtype.bits == 64);
    CHECK(t.dtype.lanes == 1);
    CHECK(t.byte_offset == 0);
    CHECK(static_cast<double*>(t.data)[t.strides[0] * 2 + t.strides[1] * 1] == 6);
    managed->deleter(managed);
    CHECK(memory->use_count() == 1);
    CHECK(owners >= 1);

    managed = to_dlpack(keep);
    CHECK(managed->dl_tensor.data == keep.data());
    keep.at(0, 0) = 9;
    CHECK(static_cast<double*>(managed->dl_tensor.data)[0] == 9);
    keep = tensor<double, 2>{{0}};  // the exported one is the last owner now
    CHECK(static_cast<double*>(managed->dl_tensor.data)[5] == 6);
    managed->deleter(managed);
}

TEST_CASE("dlpack: what is exported can be imported, of every type") {
    const auto check = []<class T>(T value, int code, int bits) {
        const tensor<T, 1> x{T(0), value};
        auto* managed = to_dlpack<dlpack::DLManagedTensorVersioned>(x);
        CHECK(managed->version.major == 1);
        CHECK(managed->flags == 0);
        CHECK(managed->dl_tensor.dtype.code == code);
        CHECK(managed->dl_tensor.dtype.bits == bits);
        const auto back = from_dlpack<T, 1>(managed);
        CHECK(back.data() == x.data());
        CHECK(back.at(1) == value);
        CHECK(x.memory().use_count() == 2);
    };
    check(true, 6, 8);
    check(std::int8_t(-5), 0, 8);
    check(std::int64_t(-5), 0, 64);
    check(std::uint16_t(5), 1, 16);
    check(1.5f, 2, 32);
    check(1.5, 2, 64);
    check(std::complex<float>(1, 2), 5, 64);
    check(std::complex<double>(1, 2), 5, 128);
    CHECK(from_dlpack<float, 0>(to_dlpack(tensor<float, 0>(2.5f))).item() == 2.5f);
    CHECK(from_dlpack<float, 2>(to_dlpack(zeros<float>({0, 3}))).shape() == shape<2>{0, 3});
    const tensor<int, 2> x{{1, 2, 3}, {4, 5, 6}};
    const tensor<int, 2> reversed = x(slice(none, none, -1), slice(none, none, 2));
    CHECK(from_dlpack<int, 2>(to_dlpack(reversed)).at(0, 1) == 6);
}

TEST_CASE("dlpack: an imported tensor is deleted once, by its last owner") {
    foreign::owner x;
    {
        const auto a = from_dlpack<float, 2>(&x.m);
        CHECK(a.data() == x.data + 2);
        CHECK(a.at(1, 2) == 5);
        const tensor<float, 1> b = a(1);
        CHECK(x.deleted == 0);
        const tensor<float, 2> c = a * 2.0f;
        CHECK(c.at(0, 2) == 4);
        a(all, 0) = 7.0f;  // writes what the other library sees
        CHECK(x.data[2] == 7);
    }
    CHECK(x.deleted == 1);

    foreign::owner compact;
    compact.m.dl_tensor.strides = nullptr;
    CHECK(from_dlpack<float, 2>(&compact.m).at(1, 0) == 3);
    CHECK(compact.deleted == 1);
    foreign::owner nobody;
    nobody.m.deleter = nullptr;
    CHECK(from_dlpack<const float, 2>(&nobody.m).at(0, 1) == 1);
    foreign::managed* out = to_dlpack<foreign::managed>(tensor<float, 1>{1, 2});
    CHECK(out->dl_tensor.device.device_type == foreign::kDLCPU);
    out->deleter(out);
}

TEST_CASE("dlpack: read-only tensors stay so") {
    const float values[2] = {1, 2};
    const auto x = borrow(std::span<const float>(values));
    auto* managed = to_dlpack<dlpack::DLManagedTensorVersioned>(x);
    CHECK(managed->flags == dlpack::read_only);
    CHECK(complaint<value_error>([&] { from_dlpack<float, 1>(managed); }) ==
          "[from_dlpack] the tensor is read-only: ask for from_dlpack<const ...> instead of float32");
    CHECK(from_dlpack<const float, 1>(managed).at(1) == 2);
}

TEST_CASE("dlpack: what cannot be shared is refused, and stays the caller's") {
    foreign::owner x;
    CHECK(refused<double>(x) == "[from_dlpack] the tensor holds float32 of shape (2, 3), asked for float64 of rank 2");
    CHECK(refused<float, 1>(x) ==
          "[from_dlpack] the tensor holds float32 of shape (2, 3), asked for float32 of rank 1");
    x.m.dl_tensor.dtype = {2, 16, 4};
    CHECK(refused(x) ==
          "[from_dlpack] the tensor holds type code 2 of 16 bits and 4 lanes of shape (2, 3), asked for float32 of "
          "rank 2");
    x.m.dl_tensor.dtype = {4, 16, 1};
    CHECK(refused(x) == "[from_dlpack] the tensor holds bfloat16 of shape (2, 3), asked for float32 of rank 2");
    x.m.dl_tensor.dtype = {2, 32, 1};
    x.m.dl_tensor.device.device_type = foreign::kDLCUDA;
    CHECK(refused(x) == "[from_dlpack] the tensor is on device type 2 (2: CUDA), not on the CPU");
    x.m.dl_tensor.device.device_type = foreign::kDLCPU;
    x.m.dl_tensor.byte_offset = 6;
    CHECK(refused(x) == "[from_dlpack] the data is not aligned to the 4 bytes that float32 needs");
    x.m.dl_tensor.byte_offset = 8;
    x.m.dl_tensor.data = nullptr;
    CHECK(refused(x) == "[from_dlpack] the tensor of shape (2, 3) has no data");
    x.shape[0] = -2;
    CHECK(refused(x) == "[from_dlpack] negative extent in shape (-2, 3)");
    CHECK(complaint<value_error>([] { from_dlpack<float, 1>(static_cast<dlpack::DLManagedTensor*>(nullptr)); }) ==
          "[from_dlpack] a null pointer");

    auto* managed = to_dlpack<dlpack::DLManagedTensorVersioned>(tensor<float, 1>{1});
    managed->version.major = 2;
    CHECK(complaint<value_error>([&] { from_dlpack<float, 1>(managed); }) ==
          "[from_dlpack] version 2.0 of DLPack; 1.x is known");
    managed->deleter(managed);
}
