// The JSON that headers of files are made of: a strict reader of strings, integers and punctuation, and the text of a
// string.
#pragma once
#include <limits>
#include <string>
#include <string_view>

#include "file.hpp"

namespace ricci::detail {

/// Where the first byte is that is no UTF-8 (RFC 3629: no surrogates, nothing longer than needed); npos if there is
/// none.
inline std::size_t find_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = [&](std::size_t i) {
            return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
        };
        const unsigned first = byte(0);
        const std::size_t length = first < 0x80   ? 1
                                   : first < 0xC2 ? 0
                                   : first < 0xE0 ? 2
                                   : first < 0xF0 ? 3
                                   : first < 0xF5 ? 4
                                                  : 0;
        if (length == 0) return at;
        for (std::size_t i = 1; i < length; ++i)
            if ((byte(i) & 0xC0) != 0x80) return at;
        if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
            (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
            return at;
        at += length;
    }
    return std::string_view::npos;
}

/// What a backslash and one of these letters stand for. (A slash may be written so, too, and is not.)
inline constexpr std::string_view json_escapes = "\"\\/bfnrt", json_escaped = "\"\\/\b\f\n\r\t";

/// Reads JSON (RFC 8259) piece by piece, as the caller expects it; throws where the text is something else.
class json_reader {
    std::string_view text_;
    const byte_reader& file_;
    std::size_t at_ = 0;

    void skip_space() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
            ++at_;
    }
    unsigned hex() {
        unsigned n = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const char c = at_ < text_.size() ? text_[at_] : '\0';
            if (c >= '0' && c <= '9') n = n * 16 + static_cast<unsigned>(c - '0');
            else if (c >= 'a' && c <= 'f') n = n * 16 + static_cast<unsigned>(c - 'a' + 10);
            else if (c >= 'A' && c <= 'F') n = n * 16 + static_cast<unsigned>(c - 'A' + 10);
            else fail("a broken \\u escape");
        }
        return n;
    }
    static void append_utf8(std::string& to, unsigned code) {
        const auto put = [&](unsigned byte) { to += static_cast<char>(byte); };
        if (code < 0x80) return put(code);
        if (code < 0x800) put(0xC0 | code >> 6);
        else {
            if (code < 0x10000) put(0xE0 | code >> 12);
            else put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 63));
            put(0x80 | (code >> 6 & 63));
        }
        put(0x80 | (code & 63));
    }
    void escape(std::string& to) {
        const char c = at_ < text_.size() ? text_[at_++] : '\0';
        if (const std::size_t i = json_escapes.find(c); c && i != std::string_view::npos) {
            to += json_escaped[i];
            return;
        }
        if (c != 'u') fail("an unknown escape");
        unsigned code = hex();
        if (code >= 0xDC00 && code < 0xE000) fail("half a surrogate pair");
        if (code >= 0xD800 && code < 0xDC00) {
            if (text_.substr(at_, 2) != "\\u") fail("half a surrogate pair");
            at_ += 2;
            const unsigned low = hex();
            if (low < 0xDC00 || low >= 0xE000) fail("half a surrogate pair");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        append_utf8(to, code);
    }

   public:
    json_reader(std::string_view text, const byte_reader& file) : text_(text), file_(file) {
        at_ = find_invalid_utf8(text);
        if (at_ != std::string_view::npos) fail("no UTF-8");
        at_ = 0;
    }
    [[noreturn]] void fail(const std::string& what) const {
        file_.fail(" has a broken header: " + what + " at byte " + std::to_string(at_));
    }
    bool accept(char c) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) fail(std::string("no '") + c + "'");
    }
    void expect_end() {
        skip_space();
        if (at_ != text_.size()) fail("something after the object");
    }
    std::string string() {
        if (!accept('"')) fail("no string");
        std::string s;
        for (;;) {
            const char c = at_ < text_.size() ? text_[at_++] : '\0';
            if (c == '"') return s;
            if (static_cast<unsigned char>(c) < 32)
                fail(at_ < text_.size() ? "a control character" : "an unfinished string");
            if (c == '\\') escape(s);
            else s += c;
        }
    }
    /// A number that is no fraction and not negative.
    index_t integer() {
        skip_space();
        const std::size_t begin = at_;
        index_t n = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            const index_t digit = text_[at_] - '0';
            if (n > (std::numeric_limits<index_t>::max() - digit) / 10) fail("a number that overflows");
            n = n * 10 + digit;
        }
        if (at_ == begin) fail("no whole number");
        if (text_[begin] == '0' && at_ > begin + 1) fail("a number that begins with 0");
        return n;
    }
    /// Calls `item` for each of the items between brackets.
    template <class F>
    void list(char open, char close, F item) {
        expect(open);
        if (accept(close)) return;
        do item();
        while (accept(','));
        expect(close);
    }
};

/// As serde_json writes it, with which safetensors' own headers are made.
inline std::string json_string(std::string_view s) {
    std::string text = "\"";
    for (const char c : s) {
        constexpr const char* digits = "0123456789abcdef";
        const std::size_t named = c == '/' ? std::string_view::npos : json_escaped.find(c);
        if (named != std::string_view::npos) (text += '\\') += json_escapes[named];
        else if (static_cast<unsigned char>(c) < 32) ((text += "\\u00") += digits[c >> 4]) += digits[c & 15];
        else text += c;
    }
    return text + '"';
}

}  // namespace ricci::detail
