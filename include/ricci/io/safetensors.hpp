// .safetensors files: load_safetensors, safetensors_file, save_safetensors. Format: github.com/huggingface/safetensors.
#pragma once
#include <iterator>
#include <map>

#include "json.hpp"
#include "named_array.hpp"

namespace ricci {
namespace detail {

struct safetensors_dtype {
    const char* name;
    stored_dtype type;
};
/// In the order in which the format's own writer lays out arrays, last to first.
inline constexpr safetensors_dtype safetensors_dtypes[] = {
    {"BOOL", {'b', 1}}, {"U8", {'u', 1}},   {"I8", {'i', 1}},  {"I16", {'i', 2}}, {"U16", {'u', 2}},
    {"F16", {'f', 2}},  {"BF16", {'B', 2}}, {"I32", {'i', 4}}, {"U32", {'u', 4}}, {"F32", {'f', 4}},
    {"C64", {'c', 8}},  {"F64", {'f', 8}},  {"I64", {'i', 8}}, {"U64", {'u', 8}}};

/// Where in the list above; the list's length if not there.
constexpr std::size_t safetensors_rank(stored_dtype type) {
    std::size_t i = 0;
    while (i < std::size(safetensors_dtypes) && safetensors_dtypes[i].type != type) ++i;
    return i;
}

struct safetensors_entry {
    array_info info;  // its dtype in the library's words, or the file's own
    stored_dtype type;
    std::size_t begin = 0, end = 0;  // behind the header
};

/// Reads a header; sizes, offsets and names are checked as the format wants it.
class safetensors_header {
    static constexpr std::uint64_t longest = 100'000'000;
    input_file& file_;

    safetensors_entry read_entry(json_reader& json, std::string name) {
        safetensors_entry e;
        e.info.name = std::move(name);
        bool seen[3] = {};
        json.list('{', '}', [&] {
            const std::string key = json.string();
            json.expect(':');
            const int which = key == "dtype" ? 0 : key == "shape" ? 1 : key == "data_offsets" ? 2 : -1;
            if (which < 0) json.fail("the unknown key '" + key + "'");
            if (std::exchange(seen[which], true)) json.fail("the key '" + key + "' twice");
            if (which == 0) e.info.dtype = json.string();
            else if (which == 1) json.list('[', ']', [&] { e.info.shape.push_back(json.integer()); });
            else {
                json.expect('[');
                e.begin = static_cast<std::size_t>(json.integer());
                json.expect(',');
                e.end = static_cast<std::size_t>(json.integer());
                json.expect(']');
            }
        });
        if (!seen[0] || !seen[1] || !seen[2]) json.fail("a missing key");
        for (const safetensors_dtype& d : safetensors_dtypes)
            if (e.info.dtype == d.name) e.type = d.type;
        if (e.type.kind) e.info.dtype = dtype_text(e.type);
        return e;
    }
    /// The arrays fill the data without gaps, in some order, each with as many bytes as its shape says.
    void check_layout() {
        std::vector<const safetensors_entry*> sorted;
        for (const safetensors_entry& e : entries) sorted.push_back(&e);
        std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
            return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
        });
        const std::size_t available = file_.size() - data_at;
        std::size_t at = 0;
        for (const safetensors_entry* e : sorted) {
            const std::string offsets =
                " data_offsets [" + std::to_string(e->begin) + ", " + std::to_string(e->end) + "]";
            const auto fail = [&](const std::string& why) { file_.fail(" array '" + e->info.name + "'" + why); };
            if (e->begin > e->end) fail(offsets + " are out of order");
            if (e->end > available)
                fail(" is truncated:" + offsets + " of " + std::to_string(available) + " bytes of data");
            if (e->begin != at) fail(offsets + " leave a gap or overlap: " + std::to_string(at) + " was expected");
            std::size_t bytes = 0;
            const std::size_t held = e->end - e->begin;
            if (e->type.kind &&
                (!fits(e->info.shape, static_cast<std::size_t>(e->type.bytes), held, bytes) || bytes != held))
                fail(" of shape " + extents_text(e->info.shape) + " and type " + e->info.dtype + " does not fill" +
                     offsets);
            at = e->end;
        }
        if (at != available) file_.fail(" has " + std::to_string(available - at) + " bytes behind its last array");
    }

   public:
    std::vector<safetensors_entry> entries;
    std::map<std::string, std::string> metadata;
    std::size_t data_at = 0;

    explicit safetensors_header(input_file& file) : file_(file) {
        unsigned char start[8];
        if (file.size() < 8) file.fail(" is not a .safetensors file: it has " + std::to_string(file.size()) + " bytes");
        file.read(start, 8, "header");
        std::uint64_t length = 0;
        for (int i = 8; i-- > 0;) length = length << 8 | start[i];
        if (length > longest)
            file.fail(" is not a .safetensors file: its header would be of " + std::to_string(length) + " bytes");
        const std::string text = file.read_text(static_cast<std::size_t>(length), "header");
        data_at = 8 + text.size();
        if (text.empty() || text[0] != '{') file.fail(" is not a .safetensors file: its header is no JSON object");

        json_reader json(text, file);
        std::map<std::string, bool> seen;
        json.list('{', '}', [&] {
            std::string name = json.string();
            if (std::exchange(seen[name], true)) json.fail("the name '" + name + "' twice");
            json.expect(':');
            if (name != "__metadata__") {
                entries.push_back(read_entry(json, std::move(name)));
                return;
            }
            json.list('{', '}', [&] {
                const std::string key = json.string();
                json.expect(':');
                if (!metadata.emplace(key, json.string()).second) json.fail("the key '" + key + "' twice");
            });
        });
        json.expect_end();
        check_layout();
    }
};

template <class T, int R>
tensor<T, R> read_safetensors(input_file& file, const safetensors_header& header, const std::string& name) {
    static_assert(safetensors_rank(stored_dtype_of<T>()) < std::size(safetensors_dtypes),
                  "ricci: .safetensors files hold bool, integers, floating types up to double and complex<float>");
    for (const safetensors_entry& e : header.entries) {
        if (e.info.name != name) continue;
        if (e.type != stored_dtype_of<T>() || static_cast<int>(e.info.shape.size()) != R)
            file.fail(" array '" + name + "'" + mismatch_text(e.info.dtype, e.info.shape, dtype_name<T>(), R));
        const auto x = tensor<T, R>::uninitialized(to_shape<R>(e.info.shape));
        file.seek(header.data_at + e.begin);
        file.read(x.data(), e.end - e.begin, "data");
        adopt_elements(x.data(), e.end - e.begin, e.type, '<');
        return x;
    }
    std::vector<std::string> held;
    for (const safetensors_entry& e : header.entries) held.push_back(e.info.name);
    fail_absent(file, name, held);
}

}  // namespace detail

/// An open .safetensors file, whose arrays are read one by one. The constructor reads and checks the header: throws
/// io_error where the file is not exactly what its header says. Element types without a name in the library (F8_E4M3,
/// ...) are listed.
class safetensors_file {
    detail::input_file file_;
    detail::safetensors_header header_;

   public:
    explicit safetensors_file(const byte_source& from) : file_("safetensors_file", from), header_(file_) {}
    safetensors_file(const safetensors_file&) = delete;
    safetensors_file& operator=(const safetensors_file&) = delete;

    /// Name, element type and shape of each array, in the header's order.
    std::vector<array_info> arrays() const {
        std::vector<array_info> infos;
        for (const detail::safetensors_entry& e : header_.entries) infos.push_back(e.info);
        return infos;
    }
    bool contains(const std::string& name) const {
        for (const detail::safetensors_entry& e : header_.entries)
            if (e.info.name == name) return true;
        return false;
    }
    const std::map<std::string, std::string>& metadata() const { return header_.metadata; }
    /// The array of this name, which must have this element type and rank.
    template <class T, int R>
    tensor<T, R> load(const std::string& name) {
        return detail::read_safetensors<T, R>(file_, header_, name);
    }
};

/// One array of a .safetensors file; throws io_error, saying what the file holds, when there is none of this name, type
/// and rank, and when the file is not exactly what its header says.
template <class T, int R>
tensor<T, R> load_safetensors(const byte_source& from, const std::string& name) {
    detail::input_file file("load_safetensors", from);
    const detail::safetensors_header header(file);
    return detail::read_safetensors<T, R>(file, header, name);
}

namespace detail {

/// The header of a file of these arrays, padded with spaces to a multiple of 8.
inline std::string safetensors_header_text(const std::vector<const named_array*>& arrays,
                                           const std::map<std::string, std::string>& metadata) {
    std::string text;
    const auto put_key = [&](const std::string& key) {
        text += (text.empty() || text.back() == '{' ? "" : ",") + json_string(key) + ":";
    };
    text += '{';
    if (!metadata.empty()) {
        put_key("__metadata__");
        text += '{';
        for (const auto& [key, value] : metadata) {
            put_key(key);
            text += json_string(value);
        }
        text += '}';
    }
    std::size_t at = 0;
    for (const named_array* a : arrays) {
        put_key(a->name());
        text += std::string("{\"dtype\":\"") + safetensors_dtypes[safetensors_rank(a->dtype())].name + "\",\"shape\":[";
        for (const index_t n : a->shape()) text += (text.back() == '[' ? "" : ",") + std::to_string(n);
        text += "],\"data_offsets\":[" + std::to_string(at);
        at += a->bytes();
        text += "," + std::to_string(at) + "]}";
    }
    text += '}';
    text.append((8 - text.size() % 8) % 8, ' ');
    return text;
}

}  // namespace detail

/// Writes arrays as a .safetensors file, with metadata if there is any: save_safetensors("x.safetensors", {{"a", a},
/// {"b", b}}, {{"format", "pt"}}). Byte for byte what the format's own writer makes, with metadata in order of its
/// keys. Throws value_error for two arrays of one name, names that are not UTF-8, and types that the format lacks
/// (complex<double>), before the file is opened; io_error when it cannot be written.
inline void save_safetensors(const std::string& path, const std::vector<named_array>& arrays,
                             const std::map<std::string, std::string>& metadata = {}) {
    constexpr const char* op = "save_safetensors";
    detail::check_names(op, arrays, 1'000'000);
    std::vector<const named_array*> sorted;
    for (const named_array& a : arrays) {
        if (detail::safetensors_rank(a.dtype()) == std::size(detail::safetensors_dtypes))
            detail::raise<value_error>({"[", op, "] array '", a.name().c_str(), "' is ",
                                        detail::dtype_text(a.dtype()).c_str(),
                                        ", which .safetensors files cannot hold"});
        if (a.name() == "__metadata__")
            detail::raise<value_error>({"[", op, "] '__metadata__' cannot be an array's name"});
        sorted.push_back(&a);
    }
    std::sort(sorted.begin(), sorted.end(), [](const named_array* a, const named_array* b) {
        const std::size_t i = detail::safetensors_rank(a->dtype()), k = detail::safetensors_rank(b->dtype());
        return i != k ? i > k : a->name() < b->name();
    });

    const std::string text = detail::safetensors_header_text(sorted, metadata);
    if (const std::size_t wrong = detail::find_invalid_utf8(text); wrong != std::string::npos)
        detail::raise<value_error>({"[", op, "] a name or metadata is not UTF-8: ",
                                    text.substr(wrong < 40 ? 0 : wrong - 40, wrong < 40 ? wrong : 40).c_str(), "..."});

    detail::output_file file(op, path);
    std::string start;
    for (int i = 0; i < 8; ++i) start += static_cast<char>(text.size() >> (8 * i) & 255);
    file.write(start);
    file.write(text);
    for (const named_array* a : sorted) {
        if constexpr (std::endian::native == std::endian::little) file.write(a->data(), a->bytes());
        else {
            std::vector<unsigned char> swapped(a->bytes());
            if (!swapped.empty()) std::memcpy(swapped.data(), a->data(), swapped.size());
            detail::adopt_elements(swapped.data(), swapped.size(), a->dtype(), '<');
            file.write(swapped.data(), swapped.size());
        }
    }
    file.close();
}

}  // namespace ricci
