// Zip archives, as far as .npz files need them: entries stored or deflated, zip64, no encryption, one disk. Format:
// APPNOTE.TXT.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "zlib.hpp"

namespace ricci::detail {

/// CRC-32 of the polynomial 0x04C11DB7, reflected, by eight tables (Kounavis and Berry, 2005).
class crc32 {
    static constexpr auto tables = [] {
        std::array<std::array<std::uint32_t, 256>, 8> t{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t c = i;
            for (int k = 0; k < 8; ++k) c = (c >> 1) ^ (c & 1 ? 0xEDB88320u : 0);
            t[0][i] = c;
        }
        for (std::size_t k = 1; k < 8; ++k)
            for (std::size_t i = 0; i < 256; ++i) t[k][i] = (t[k - 1][i] >> 8) ^ t[0][t[k - 1][i] & 255];
        return t;
    }();
    std::uint32_t state_ = 0xFFFFFFFFu;

   public:
    void update(const void* data, std::size_t bytes) {
        const auto* p = static_cast<const unsigned char*>(data);
        std::uint32_t c = state_;
        for (; bytes >= 8; p += 8, bytes -= 8) {
            const auto b = [&](std::size_t k) { return k < 4 ? (p[k] ^ (c >> (8 * k) & 255)) : std::uint32_t(p[k]); };
            const std::uint32_t next = tables[7][b(0)] ^ tables[6][b(1)] ^ tables[5][b(2)] ^ tables[4][b(3)] ^
                                       tables[3][b(4)] ^ tables[2][b(5)] ^ tables[1][b(6)] ^ tables[0][b(7)];
            c = next;
        }
        for (; bytes > 0; ++p, --bytes) c = (c >> 8) ^ tables[0][(c ^ *p) & 255];
        state_ = c;
    }
    std::uint32_t value() const { return ~state_; }
};

/// Little-endian numbers.
inline std::uint64_t get_little(const char* from, int bytes) {
    std::uint64_t n = 0;
    for (int i = bytes; i-- > 0;) n = n << 8 | static_cast<unsigned char>(from[i]);
    return n;
}
inline void put_little(std::string& to, std::uint64_t n, int bytes) {
    for (int i = 0; i < bytes; ++i, n >>= 8) to += static_cast<char>(n & 255);
}

struct zip_entry {
    std::string name;
    int flags = 0, method = 0;
    std::uint32_t crc = 0;
    std::uint64_t compressed = 0, size = 0, header_at = 0;
};

/// The directory of an archive.
class zip_archive {
    input_file file_;
    std::vector<zip_entry> entries_;
    std::uint64_t directory_at_ = 0;

    [[noreturn]] void broken(const char* what) const { file_.fail(std::string(" is a broken zip archive: ") + what); }

    std::string text_at(std::uint64_t at, std::uint64_t bytes, const char* what) {
        if (at > file_.size() || bytes > file_.size() - at) broken(what);
        file_.seek(static_cast<std::size_t>(at));
        return file_.read_text(static_cast<std::size_t>(bytes), what);
    }
    void find_directory(std::uint64_t& count, std::uint64_t& bytes) {
        const std::size_t size = file_.size(), tail = size < 22 + 65535 ? size : 22 + 65535;
        const std::string end = text_at(size - tail, tail, "its end");
        if (size < 4) file_.fail(" is not a zip archive (.npz)");
        std::size_t at = end.size() < 22 ? std::string::npos : end.rfind("PK\5\6", end.size() - 22);
        while (at != std::string::npos && at + 22 + get_little(&end[at + 20], 2) != end.size())
            at = at == 0 ? std::string::npos : end.rfind("PK\5\6", at - 1);
        if (at == std::string::npos) {
            if (text_at(0, 4, "its start") == "PK\3\4")
                file_.fail(" is truncated: a zip archive without its directory");
            file_.fail(" is not a zip archive (.npz)");
        }
        const std::uint64_t end_at = size - end.size() + at;
        const char* e = &end[at];
        if (get_little(e + 4, 2) != get_little(e + 6, 2)) broken("it spans several files");
        count = get_little(e + 10, 2), bytes = get_little(e + 12, 4), directory_at_ = get_little(e + 16, 4);
        std::uint64_t limit = end_at;
        if (count == 0xFFFF || bytes == 0xFFFFFFFFu || directory_at_ == 0xFFFFFFFFu) {
            const std::string locator = text_at(end_at < 20 ? end_at : end_at - 20, 20, "no zip64 locator");
            if (locator.compare(0, 4, "PK\6\7") != 0) broken("no zip64 locator");
            limit = get_little(&locator[8], 8);
            const std::string e64 = text_at(limit, 56, "no zip64 end");
            if (e64.compare(0, 4, "PK\6\6") != 0) broken("no zip64 end");
            count = get_little(&e64[32], 8), bytes = get_little(&e64[40], 8), directory_at_ = get_little(&e64[48], 8);
        }
        if (directory_at_ > limit || bytes > limit - directory_at_) broken("a directory beyond its end");
        if (count > bytes / 46) broken("a directory too small for its entries");
    }
    /// The numbers that did not fit in 32 bits are in the extra field, those alone and in this order.
    void read_zip64(zip_entry& e, std::string_view extra) {
        std::uint64_t* const wide[] = {&e.size, &e.compressed, &e.header_at};
        while (extra.size() >= 4) {
            const auto id = get_little(extra.data(), 2), bytes = get_little(extra.data() + 2, 2);
            extra.remove_prefix(4);
            if (bytes > extra.size()) return;  // some writers pad here
            std::string_view field = extra.substr(0, bytes);
            extra.remove_prefix(bytes);
            if (id != 1) continue;
            for (std::uint64_t* n : wide) {
                if (*n != 0xFFFFFFFFu) continue;
                if (field.size() < 8) broken("a short zip64 field");
                *n = get_little(field.data(), 8);
                field.remove_prefix(8);
            }
            return;
        }
    }

   public:
    zip_archive(const char* op, const byte_source& from) : file_(op, from) {
        std::uint64_t count = 0, bytes = 0;
        find_directory(count, bytes);
        const std::string directory = text_at(directory_at_, bytes, "a directory beyond its end");
        entries_.reserve(count);
        std::string_view rest = directory;
        for (; count > 0; --count) {
            if (rest.size() < 46 || rest.substr(0, 4) != "PK\1\2") broken("its directory");
            const char* h = rest.data();
            const auto name = get_little(h + 28, 2), extra = get_little(h + 30, 2), comment = get_little(h + 32, 2);
            if (rest.size() < 46 + name + extra + comment) broken("its directory");
            zip_entry e{.name = std::string(rest.substr(46, name)),
                        .flags = static_cast<int>(get_little(h + 8, 2)),
                        .method = static_cast<int>(get_little(h + 10, 2)),
                        .crc = static_cast<std::uint32_t>(get_little(h + 16, 4)),
                        .compressed = get_little(h + 20, 4),
                        .size = get_little(h + 24, 4),
                        .header_at = get_little(h + 42, 4)};
            read_zip64(e, rest.substr(46 + name, extra));
            entries_.push_back(std::move(e));
            rest.remove_prefix(46 + name + extra + comment);
        }
        if (!rest.empty()) broken("its directory");
    }

    const std::vector<zip_entry>& entries() const { return entries_; }
    const byte_reader& file() const { return file_; }

    /// The file, at the first byte of an entry's data, once all that is said of it was found possible.
    input_file& open(const zip_entry& e, const byte_reader& about) {
        if (e.flags & 1) about.fail(" is encrypted");
        if (e.method != 0 && e.method != 8)
            about.fail(" is compressed by method " + std::to_string(e.method) +
                       "; 0 (stored) and 8 (deflate) are known");
        if (e.header_at > directory_at_ || directory_at_ - e.header_at < 30)
            about.fail(" lies beyond the archive's end");
        const std::string local = text_at(e.header_at, 30, "its entries");
        if (local.compare(0, 4, "PK\3\4") != 0) about.fail(" has no header where the directory says");
        const std::uint64_t data_at = e.header_at + 30 + get_little(&local[26], 2) + get_little(&local[28], 2);
        if (data_at > directory_at_ || e.compressed > directory_at_ - data_at)
            about.fail(" lies beyond the archive's end");
        if (e.method == 0 ? e.size != e.compressed : e.size / deflate_ratio > e.compressed)
            about.fail(" cannot be of " + std::to_string(e.size) + " bytes: " + std::to_string(e.compressed) +
                       " are in the archive");
        file_.seek(static_cast<std::size_t>(data_at));
        return file_;
    }
};

inline namespace RICCI_ZLIB_NAMESPACE {

/// Reads one entry of an archive.
class zip_entry_reader final : public byte_reader {
    const zip_entry& entry_;
    input_file& file_;
    inflater inflater_;
    crc32 crc_;
    std::size_t left_;

   public:
    zip_entry_reader(zip_archive& archive, const zip_entry& entry, const std::string& shown_name)
        : byte_reader(archive.file().name() + " entry '" + shown_name + "'"),
          entry_(entry),
          file_(archive.open(entry, *this)),
          inflater_(file_, entry.method == 8 ? static_cast<std::size_t>(entry.compressed) : 0),
          left_(static_cast<std::size_t>(entry.size)) {}

    std::size_t size() const override { return static_cast<std::size_t>(entry_.size); }
    void read(void* to, std::size_t bytes, const char* what) override {
        if (bytes > left_) fail(std::string(" is truncated in its ") + what);
        if (entry_.method == 0) file_.read(to, bytes, what);
        else if (const char* wrong = inflater_.read(to, bytes)) fail(std::string(": its compressed data ") + wrong);
        crc_.update(to, bytes);
        left_ -= bytes;
    }
    /// Reads what is left and compares the checksum.
    void finish() {
        char rest[4096];
        while (left_ > 0) read(rest, left_ < sizeof rest ? left_ : sizeof rest, "data");
        if (entry_.method == 8)
            if (const char* wrong = inflater_.finish()) fail(std::string(": its compressed data ") + wrong);
        if (crc_.value() != entry_.crc) fail(" is damaged: its checksum does not fit");
    }
};

/// Writes an archive: entries one by one, then `close`.
class zip_writer {
    output_file file_;
    std::vector<zip_entry> entries_;
    std::uint64_t at_ = 0;

    static constexpr std::uint64_t limit = 0xFFFFFFFFu;
    static std::uint64_t narrow(std::uint64_t n) { return n < limit ? n : limit; }

    void write(const std::string& text) {
        file_.write(text);
        at_ += text.size();
    }
    /// What local and central headers have in common: version, flags, method, a date (1980-01-01, none in truth), crc.
    static std::string common(const zip_entry& e) {
        std::string h;
        put_little(h, 45, 2), put_little(h, static_cast<std::uint64_t>(e.flags), 2);
        put_little(h, static_cast<std::uint64_t>(e.method), 2), put_little(h, 0, 2), put_little(h, 33, 2);
        put_little(h, e.crc, 4);
        return h;
    }
    /// Sizes are always in the zip64 field, as in NumPy's files: a compressed one is known only when it is written.
    static std::string local_header(const zip_entry& e) {
        std::string h = "PK\3\4" + common(e);
        put_little(h, limit, 4), put_little(h, limit, 4), put_little(h, e.name.size(), 2), put_little(h, 20, 2);
        h += e.name;
        put_little(h, 1, 2), put_little(h, 16, 2), put_little(h, e.size, 8), put_little(h, e.compressed, 8);
        return h;
    }
    static std::string central_header(const zip_entry& e) {
        std::string wide;
        for (const std::uint64_t n : {e.size, e.compressed, e.header_at})
            if (n >= limit) put_little(wide, n, 8);
        if (!wide.empty()) {
            std::string field;
            put_little(field, 1, 2), put_little(field, wide.size(), 2);
            wide = field + wide;
        }
        std::string h = "PK\1\2";
        put_little(h, 3 << 8 | 45, 2);  // made by Unix
        h += common(e);
        put_little(h, narrow(e.compressed), 4), put_little(h, narrow(e.size), 4);
        put_little(h, e.name.size(), 2), put_little(h, wide.size(), 2), put_little(h, 0, 6);
        put_little(h, std::uint64_t(0600) << 16, 4), put_little(h, narrow(e.header_at), 4);
        return h + e.name + wide;
    }

   public:
    zip_writer(const char* op, const std::string& path) : file_(op, path) {}

    /// An entry of two pieces; deflated if `level` is not negative.
    void add(const std::string& name, const std::string& head, const void* data, std::size_t bytes, int level) {
        crc32 crc;
        crc.update(head.data(), head.size());
        crc.update(data, bytes);
        bool ascii = true;
        for (const char c : name) ascii = ascii && static_cast<unsigned char>(c) < 128;
        zip_entry e{.name = name, .flags = ascii ? 0 : 1 << 11, .method = level < 0 ? 0 : 8, .crc = crc.value()};
        e.size = e.compressed = head.size() + bytes;
        e.header_at = at_;
        write(local_header(e));
        if (level < 0) {
            file_.write(head);
            file_.write(data, bytes);
        } else {
            deflater deflate(file_, level);
            deflate.write(head.data(), head.size());
            deflate.write(data, bytes);
            e.compressed = deflate.finish();
            file_.seek(static_cast<std::size_t>(e.header_at));
            file_.write(local_header(e));
            file_.seek(static_cast<std::size_t>(at_ + e.compressed));
        }
        at_ += e.compressed;
        entries_.push_back(std::move(e));
    }
    void close() {
        const std::uint64_t directory_at = at_, count = entries_.size();
        for (const zip_entry& e : entries_) write(central_header(e));
        const std::uint64_t bytes = at_ - directory_at, end64_at = at_;
        if (count >= 0xFFFF || bytes >= limit || directory_at >= limit) {
            std::string h = "PK\6\6";
            put_little(h, 44, 8), put_little(h, 3 << 8 | 45, 2), put_little(h, 45, 2), put_little(h, 0, 8);
            put_little(h, count, 8), put_little(h, count, 8), put_little(h, bytes, 8), put_little(h, directory_at, 8);
            h += "PK\6\7";
            put_little(h, 0, 4), put_little(h, end64_at, 8), put_little(h, 1, 4);
            write(h);
        }
        const std::uint64_t shown = count < 0xFFFF ? count : 0xFFFF;
        std::string h = "PK\5\6";
        put_little(h, 0, 4), put_little(h, shown, 2), put_little(h, shown, 2);
        put_little(h, narrow(bytes), 4), put_little(h, narrow(directory_at), 4), put_little(h, 0, 2);
        write(h);
        file_.close();
    }
};

}  // namespace RICCI_ZLIB_NAMESPACE
}  // namespace ricci::detail
