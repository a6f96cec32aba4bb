// DLPack: tensors handed to and taken from other libraries without a copy. After the standard's version 1.0
// (dmlc.github.io/dlpack).
#pragma once
#include <memory>

#include "stored_array.hpp"

namespace ricci {

/// The standard's structs. A program that has its <dlpack/dlpack.h> may use those instead: all functions here take
/// either.
namespace dlpack {

struct DLDevice {
    std::int32_t device_type;
    std::int32_t device_id;
};
struct DLDataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};
struct DLTensor {
    void* data;
    DLDevice device;
    std::int32_t ndim;
    DLDataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  // in elements; null: row-major
    std::uint64_t byte_offset;
};
/// What Python's capsules named "dltensor" hold.
struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor*);
};
struct DLPackVersion {
    std::uint32_t major;
    std::uint32_t minor;
};
/// What capsules named "dltensor_versioned" hold, since version 1.0.
struct DLManagedTensorVersioned {
    DLPackVersion version;
    void* manager_ctx;
    void (*deleter)(DLManagedTensorVersioned*);
    std::uint64_t flags;
    DLTensor dl_tensor;
};

inline constexpr std::uint64_t read_only = 1;  // a flag
inline constexpr int cpu = 1, cuda = 2, cuda_host = 3;

}  // namespace dlpack

namespace detail {

template <class Managed>
concept dlpack_versioned = requires(Managed& m) { m.version.major; };
template <class Managed>
concept dlpack_managed = requires(Managed& m) {
    m.dl_tensor.byte_offset;
    m.manager_ctx;
    m.deleter(&m);
};

struct dlpack_type {
    char kind;
    std::uint8_t code;
};
inline constexpr dlpack_type dlpack_types[] = {{'i', 0}, {'u', 1}, {'f', 2}, {'B', 4}, {'c', 5}, {'b', 6}};

constexpr std::uint8_t dlpack_code(char kind) {
    for (const dlpack_type& t : dlpack_types)
        if (t.kind == kind) return t.code;
    return 255;
}
/// "float32", or "type code 3 of 64 bits and 2 lanes".
inline std::string dlpack_type_text(unsigned code, unsigned bits, unsigned lanes) {
    for (const dlpack_type& t : dlpack_types)
        if (t.code == code && lanes == 1 && bits % 8 == 0) return dtype_text({t.kind, static_cast<int>(bits / 8)});
    return "type code " + std::to_string(code) + " of " + std::to_string(bits) + " bits and " + std::to_string(lanes) +
           " lanes";
}

/// What stands behind an exported tensor: the handle, and the arrays that it points to.
template <class Managed, int R>
struct dlpack_export {
    Managed managed{};
    storage memory;
    std::int64_t shape[R > 0 ? R : 1] = {}, strides[R > 0 ? R : 1] = {};

    static void release(Managed* managed) { delete static_cast<dlpack_export*>(managed->manager_ctx); }
};

template <class Managed>
void release_dlpack(storage_block& block) {
    auto* managed = static_cast<Managed*>(block.context);
    if (managed->deleter) managed->deleter(managed);
}

/// Throws unless the tensor can be one of ours.
template <class T, int R, class Managed>
void check_dlpack(const Managed& managed) {
    const auto& t = managed.dl_tensor;
    const auto refuse = [](const std::string& why) { throw value_error("[from_dlpack] " + why); };
    if constexpr (dlpack_versioned<Managed>) {
        if (managed.version.major != 1)
            refuse("version " + std::to_string(managed.version.major) + "." + std::to_string(managed.version.minor) +
                   " of DLPack; 1.x is known");
        if ((managed.flags & dlpack::read_only) && !std::is_const_v<T>)
            refuse(std::string("the tensor is read-only: ask for from_dlpack<const ...> instead of ") +
                   dtype_name<T>());
    }
    const int device = static_cast<int>(t.device.device_type);
    if (device != dlpack::cpu && device != dlpack::cuda_host)
        throw device_error("[from_dlpack] the tensor is on device type " + std::to_string(device) +
                           " (2: CUDA), not on the CPU");
    std::vector<index_t> extents;
    for (int i = 0; i < t.ndim; ++i) extents.push_back(static_cast<index_t>(t.shape[i]));
    constexpr stored_dtype asked = stored_dtype_of<std::remove_const_t<T>>();
    if (t.dtype.code != dlpack_code(asked.kind) || t.dtype.bits != 8 * asked.bytes || t.dtype.lanes != 1 || t.ndim != R)
        refuse("the tensor" +
               mismatch_text(dlpack_type_text(t.dtype.code, t.dtype.bits, t.dtype.lanes), extents, dtype_name<T>(), R));
    const shape<R> s = to_shape<R>(extents);
    check_extents(s, sizeof(T), "from_dlpack");
    const auto address = reinterpret_cast<std::uintptr_t>(t.data) + static_cast<std::uintptr_t>(t.byte_offset);
    if (s.count() > 0 && !t.data) refuse("the tensor of shape " + extents_text(extents) + " has no data");
    if (s.count() > 0 && address % alignof(T) != 0)
        refuse("the data is not aligned to the " + std::to_string(alignof(T)) + " bytes that " + dtype_name<T>() +
               " needs");
}

}  // namespace detail

/// Hands a tensor to another library: a struct that shares the elements and keeps them alive until its deleter is
/// called, by whoever takes it. A tensor<const T, R> is handed on as read-only, which only the versioned struct can
/// say: to_dlpack<dlpack::DLManagedTensorVersioned>(x). Views go out with their strides. CPU tensors only.
template <class Managed = dlpack::DLManagedTensor, class T, int R, class Device>
Managed* to_dlpack(const tensor<T, R, Device>& x) {
    static_assert(std::is_same_v<Device, cpu_device>,
                  "ricci: to_dlpack hands on CPU tensors; use x.to(ricci::cpu) first");
    static_assert(detail::dlpack_managed<Managed>,
                  "ricci: to_dlpack makes a DLManagedTensor or a DLManagedTensorVersioned");
    static_assert(detail::storable<std::remove_const_t<T>>,
                  "ricci: DLPack knows bool, integers, floating and complex types up to double");
    static_assert(!std::is_const_v<T> || detail::dlpack_versioned<Managed>,
                  "ricci: to_dlpack of a read-only tensor needs DLManagedTensorVersioned, which can say so");
    auto owner = std::make_unique<detail::dlpack_export<Managed, R>>();
    owner->memory = x.memory();
    for (int i = 0; i < R; ++i) {
        owner->shape[i] = x.shape()[i];
        owner->strides[i] = x.strides()[i];
    }
    Managed& managed = owner->managed;
    managed.manager_ctx = owner.get();
    managed.deleter = detail::dlpack_export<Managed, R>::release;
    if constexpr (detail::dlpack_versioned<Managed>) {
        managed.version.major = 1;
        managed.flags = std::is_const_v<T> ? dlpack::read_only : 0;
    }
    auto& t = managed.dl_tensor;
    constexpr detail::stored_dtype type = detail::stored_dtype_of<std::remove_const_t<T>>();
    t.data = const_cast<std::remove_const_t<T>*>(x.data());
    t.device.device_type = static_cast<decltype(t.device.device_type)>(dlpack::cpu);
    t.ndim = R;
    t.dtype.code = detail::dlpack_code(type.kind);
    t.dtype.bits = static_cast<std::uint8_t>(8 * type.bytes);
    t.dtype.lanes = 1;
    t.shape = owner->shape;
    t.strides = owner->strides;
    return &owner.release()->managed;
}

/// Takes a tensor of exactly this element type and rank from another library, without a copy: its deleter is called
/// when the last tensor that shares the elements is gone. Throws value_error, saying what the tensor holds, when that
/// is something else, or read-only and T is not const, or not aligned; device_error when it is not in the CPU's memory.
/// Then the struct is still the caller's.
template <class T, int R, class Managed>
tensor<T, R> from_dlpack(Managed* managed) {
    static_assert(detail::dlpack_managed<Managed>,
                  "ricci: from_dlpack takes a DLManagedTensor or a DLManagedTensorVersioned");
    static_assert(detail::storable<std::remove_const_t<T>>,
                  "ricci: DLPack knows bool, integers, floating and complex types up to double");
    if (!managed) throw value_error("[from_dlpack] a null pointer");
    detail::check_dlpack<T, R>(*managed);
    const auto& t = managed->dl_tensor;
    shape<R> extents, strides;
    for (int i = 0; i < R; ++i) extents[i] = static_cast<index_t>(t.shape[i]);
    strides = detail::row_major(extents);
    if (t.strides)
        for (int i = 0; i < R; ++i) strides[i] = static_cast<index_t>(t.strides[i]);
    auto* data = static_cast<std::byte*>(t.data) + (t.data ? t.byte_offset : 0);
    const std::size_t bytes = static_cast<std::size_t>(extents.count()) * sizeof(T);
    const auto memory = storage::external(data, bytes, detail::release_dlpack<Managed>, managed);
    return {memory.template for_elements<T>(), reinterpret_cast<T*>(data), extents, strides};
}

}  // namespace ricci
