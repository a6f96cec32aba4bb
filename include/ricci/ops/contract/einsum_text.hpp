// The subscripts of einsum, read by the compiler.
#pragma once
#include <algorithm>
#include <cstdint>

namespace ricci {

/// A string as a template argument: einsum<"ij,jk->ik">.
template <std::size_t N>
struct fixed_string {
    char text[N] = {};
    consteval fixed_string(const char (&s)[N]) { std::copy(s, s + N, text); }
    constexpr std::size_t size() const { return N - 1; }
};

namespace detail {

/// What is wrong with a text of subscripts.
enum class einsum_error { none, character, dots, arrow, size, repeated, unknown };

/// Subscripts as einsum's text has them. A subscript is a letter; the axes of "..." are written as one `einsum_dots`.
struct einsum_text {
    static constexpr int most_operands = 16, most_axes = 16;
    static constexpr char dots = '.';
    struct list {
        char at[most_axes] = {};
        int count = 0;
        constexpr bool has(char c) const { return std::find(at, at + count, c) != at + count; }
        /// How many subscripts are letters.
        constexpr int letters() const { return count - has(dots); }
    };
    list operand[most_operands];
    list result;
    int operands = 1;
    einsum_error error = einsum_error::none;

    template <std::size_t N>
    explicit constexpr einsum_text(const fixed_string<N>& s) {
        bool arrow = false;
        for (std::size_t i = 0; i < s.size() && error == einsum_error::none; ++i) {
            const char c = s.text[i];
            if (c == ' ') continue;
            if (c == ',' && !arrow) {
                if (operands == most_operands) error = einsum_error::size;
                else ++operands;
            } else if (c == '-' || c == '>') {
                if (arrow || c == '>' || s.text[i + 1] != '>') error = einsum_error::arrow;
                arrow = true;
                ++i;
            } else {
                list& to = arrow ? result : operand[operands - 1];
                if (c == '.') i += 2;
                if (c == '.' && (i >= s.size() || s.text[i - 1] != '.' || s.text[i] != '.' || to.has(dots)))
                    error = einsum_error::dots;
                else if (c != '.' && !is_letter(c)) error = einsum_error::character;
                else if (to.count == most_axes) error = einsum_error::size;
                else to.at[to.count++] = c;
            }
        }
        if (error != einsum_error::none) return;
        if (arrow) check_result();
        else find_result();
    }
    /// In how many places of the operands a subscript stands.
    constexpr int uses(char c) const {
        int n = 0;
        for (int i = 0; i < operands; ++i)
            n += static_cast<int>(std::count(operand[i].at, operand[i].at + operand[i].count, c));
        return n;
    }

   private:
    static constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
    constexpr void check_result() {
        for (int i = 0; i < result.count; ++i) {
            if (uses(result.at[i]) == 0 && result.at[i] != dots) error = einsum_error::unknown;
            if (std::find(result.at, result.at + i, result.at[i]) != result.at + i) error = einsum_error::repeated;
        }
    }
    /// Without an arrow: the axes of "...", then the letters that stand in one place, in alphabetical order.
    constexpr void find_result() {
        if (uses(dots) > 0) result.at[result.count++] = dots;
        for (const char first : {'A', 'a'})
            for (char c = first; c < first + 26; ++c)
                if (uses(c) == 1 && result.count < most_axes) result.at[result.count++] = c;
    }
};

/// Which axis of the common layout each axis of an operand is.
struct axis_places {
    int at[2 * einsum_text::most_axes] = {};
    int count = 0;
    std::uint64_t alone = 0;  // axes to be summed that no other operand has

    /// The first two axes at one place; first = count where there are none.
    struct pair {
        int first, second;
    };
    constexpr pair repeated() const {
        for (int i = 0; i < count; ++i)
            for (int j = i + 1; j < count; ++j)
                if (at[i] == at[j]) return {i, j};
        return {count, count};
    }
    /// Whether these are the axes of a layout of rank L, in order.
    template <int L>
    constexpr bool is_all() const {
        for (int i = 0; i < count; ++i)
            if (at[i] != i) return false;
        return count == L;
    }
    /// Without two axes of one place, which is that of a new last axis.
    constexpr axis_places joined(pair p) const {
        axis_places to = *this;
        const int place = at[p.first];
        to.count = 0;
        for (int i = 0; i < count; ++i)
            if (i != p.first && i != p.second) to.at[to.count++] = at[i];
        to.at[to.count++] = place;
        return to;
    }
};

/// The layout that all operands are brought to: one axis for each subscript, those of the result first, in its order.
struct einsum_layout {
    static constexpr int most = 2 * einsum_text::most_axes;
    axis_places operand[einsum_text::most_operands];
    char subscript[most] = {};
    int axes = 0;
    int result_rank = 0;
    bool fits = true;        // ranks are the numbers of subscripts
    bool keeps_dots = true;  // "..." is in the result, or stands for nothing
    bool is_small_enough = true;

    constexpr einsum_layout(const einsum_text& text, const int* rank) {
        int dots = 0;  // the most axes that "..." stands for
        for (int i = 0; i < text.operands; ++i) {
            const int more = rank[i] - text.operand[i].letters();
            fits = fits && (more == 0 || (more > 0 && text.operand[i].has(text.dots)));
            if (more > dots) dots = more;
        }
        int place[128] = {};  // of a letter, plus one; of "...", its first axis
        const auto add = [&](char c, int count) {
            place[int(c)] = axes + 1;
            is_small_enough = is_small_enough && axes + count <= most;
            for (int d = 0; d < count && axes < most; ++d) subscript[axes++] = c;
        };
        for (int i = 0; i < text.result.count; ++i) add(text.result.at[i], text.result.at[i] == text.dots ? dots : 1);
        result_rank = axes;
        keeps_dots = dots == 0 || text.result.has(text.dots);
        for (int i = 0; i < text.operands; ++i)
            for (int k = 0; k < text.operand[i].count; ++k)
                if (const char c = text.operand[i].at[k]; c != text.dots && place[int(c)] == 0) add(c, 1);
        if (!fits || !keeps_dots || !is_small_enough) return;
        for (int i = 0; i < text.operands; ++i) set_places(text, i, rank[i], dots, place);
    }

   private:
    constexpr void set_places(const einsum_text& text, int i, int rank, int dots, const int* place) {
        axis_places& to = operand[i];
        const auto& from = text.operand[i];
        const int own = rank - from.letters();
        for (int k = 0; k < from.count; ++k) {
            const char c = from.at[k];
            if (c == text.dots) {
                for (int d = dots - own; d < dots; ++d) to.at[to.count++] = place[int(c)] - 1 + d;
            } else {
                to.at[to.count++] = place[int(c)] - 1;
                const auto here = std::count(from.at, from.at + from.count, c);
                if (place[int(c)] - 1 >= result_rank && here == text.uses(c))
                    to.alone |= std::uint64_t(1) << (place[int(c)] - 1);
            }
        }
    }
};

}  // namespace detail
}  // namespace ricci
