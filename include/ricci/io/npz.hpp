// NumPy's .npz files, zip archives of .npy files: load_npz, npz_file, save_npz; save_npz_compressed and reading
// compressed ones need zlib (RICCI_USE_ZLIB, CMake: ricci::zlib).
#pragma once
#include "named_array.hpp"
#include "npy.hpp"
#include "zip.hpp"

namespace ricci {
namespace detail {

/// The name of an array whose entry is called so.
inline std::string npz_name(const std::string& entry) {
    return entry.ends_with(".npy") ? entry.substr(0, entry.size() - 4) : entry;
}
inline const zip_entry& find_npz_entry(const zip_archive& archive, const std::string& name) {
    const zip_entry* found = nullptr;
    for (const std::string& wanted : {name + ".npy", name}) {  // the second is another array's where there is the first
        for (const zip_entry& e : archive.entries()) {
            if (e.name != wanted) continue;
            if (found) archive.file().fail(" holds two arrays named '" + name + "'");
            found = &e;
        }
        if (found) break;
    }
    if (!found) {
        std::vector<std::string> held;
        for (const zip_entry& e : archive.entries()) held.push_back(npz_name(e.name));
        fail_absent(archive.file(), name, held);
    }
    return *found;
}

inline namespace RICCI_ZLIB_NAMESPACE {

template <class T, int R>
tensor<T, R> read_npz(zip_archive& archive, const std::string& name) {
    static_assert(storable<T>, "ricci: .npz files hold bool, integers, floating and complex types up to double");
    zip_entry_reader entry(archive, find_npz_entry(archive, name), name);
    auto x = read_npy<T, R>(entry);
    entry.finish();
    return x;
}

inline void write_npz(const char* op, const std::string& path, const std::vector<named_array>& arrays, int level) {
    check_names(op, arrays, 0xFFFF - 4);
    zip_writer archive(op, path);
    for (const named_array& a : arrays)
        archive.add(a.name() + ".npy", npy_header_text(a.dtype(), false, a.shape()), a.data(), a.bytes(), level);
    archive.close();
}

}  // namespace RICCI_ZLIB_NAMESPACE
}  // namespace detail

inline namespace RICCI_ZLIB_NAMESPACE {

/// An open .npz file, whose arrays are read one by one. Throws io_error where the file is broken; nothing is allocated
/// for an array before its size was found possible, and none is returned whose checksum does not fit.
class npz_file {
    detail::zip_archive archive_;

   public:
    explicit npz_file(const byte_source& from) : archive_("npz_file", from) {}

    /// Name, element type and shape of each array, in the file's order: of the entries whose names end in ".npy".
    std::vector<array_info> arrays() {
        std::vector<array_info> infos;
        for (const detail::zip_entry& e : archive_.entries()) {
            if (!e.name.ends_with(".npy")) continue;
            const std::string name = detail::npz_name(e.name);
            detail::zip_entry_reader entry(archive_, e, name);
            const detail::npy_header header = detail::read_npy_header(entry);
            infos.push_back({name, detail::descr_text(header.descr), header.shape});
        }
        return infos;
    }
    bool contains(const std::string& name) const {
        for (const detail::zip_entry& e : archive_.entries())
            if (detail::npz_name(e.name) == name || e.name == name) return true;
        return false;
    }
    /// The array of this name, which must have this element type and rank.
    template <class T, int R>
    tensor<T, R> load(const std::string& name) {
        return detail::read_npz<T, R>(archive_, name);
    }
};

/// One array of a .npz file; throws io_error, saying what the file holds, when there is none of this name, type and
/// rank.
template <class T, int R>
tensor<T, R> load_npz(const byte_source& from, const std::string& name) {
    detail::zip_archive archive("load_npz", from);
    return detail::read_npz<T, R>(archive, name);
}

template <class T = void, class... Name>
auto load_npz(const byte_source&, const Name&...) {
    static_assert(
        always_false<T>,
        "ricci: load_npz is told type, rank and name, load_npz<double, 2>(path, \"x\"); npz_file(path).arrays() "
        "are those that there are");
    return tensor<double, 0>();
}

/// Writes arrays as a .npz file, not compressed: save_npz("x.npz", {{"a", a}, {"b", b + c}}). Each is row-major. Throws
/// value_error when two have one name, before the file is opened, and io_error when it cannot be written.
inline void save_npz(const std::string& path, const std::vector<named_array>& arrays) {
    detail::write_npz("save_npz", path, arrays, -1);
}
template <expression E, class... More>
void save_npz(const E&, const More&...) {
    static_assert(always_false<E>,
                  "ricci: the path comes first, and each array has a name: save_npz(\"x.npz\", {{\"x\", x}})");
}
template <class Path, expression E, class... More>
    requires std::is_convertible_v<const Path&, std::string>
void save_npz(const Path&, const E&, const More&...) {
    static_assert(always_false<E>, "ricci: each array has a name: save_npz(\"x.npz\", {{\"x\", x}})");
}

/// The same, compressed by zlib at a level from 0 to 9.
template <class Arrays = std::vector<named_array>>
void save_npz_compressed(const std::string& path, const Arrays& arrays, int level = 6) {
    static_assert(detail::has_zlib || always_false<Arrays>,
                  "ricci: save_npz_compressed needs zlib: define RICCI_USE_ZLIB (CMake: link ricci::zlib)");
    if (level < 0 || level > 9)
        detail::raise<value_error>({"[save_npz_compressed] level ", level, " is not in 0 to 9"});
    detail::write_npz("save_npz_compressed", path, arrays, level);
}

}  // namespace RICCI_ZLIB_NAMESPACE
}  // namespace ricci
