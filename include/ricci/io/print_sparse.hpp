// The text of sparse matrices.
#pragma once
#include <string>
#include <vector>

#include "../core/print.hpp"
#include "../ops/sparse.hpp"

namespace ricci {
namespace detail {

/// A line for the matrix, then one for each entry, of more than 50 for the first and the last 25.
template <class T, class V>
std::string sparse_text(const char* kind, const shape<2>& extents, const tensor<std::int64_t, 1>& rows,
                        const tensor<std::int64_t, 1>& columns, const V& values, const print_style& style) {
    if constexpr (!std::is_same_v<V, tensor<T, 1>>) {  // under a transform what is wrapped, of a batch its members
        return joined_text({kind, " of ", dtype_name<T>(), " with values\n"}) + styled_text(values, style);
    } else {
        const index_t n = rows.size(), half = 25;
        std::vector<index_t> shown;
        for (index_t k = 0; k < n; ++k)
            if (n <= 2 * half || k < half || k >= n - half) shown.push_back(k);
        std::vector<std::string> places;
        std::vector<std::remove_const_t<T>> numbers;
        for (const index_t k : shown) {
            places.push_back(to_string(shape<2>{rows.at(k), columns.at(k)}));
            numbers.push_back(values.at(k));
        }
        std::size_t width = 0;
        for (const std::string& place : places) width = std::max(width, place.size());
        const std::vector<std::string> words = element_words(numbers, style);
        std::string text =
            joined_text({kind, " of ", dtype_name<T>(), ", shape ", extents, ", ", n, n == 1 ? " entry" : " entries"});
        for (std::size_t k = 0; k < shown.size(); ++k) {
            if (k > 0 && shown[k] != shown[k - 1] + 1) text += "\n  ...";
            text += "\n  ";
            text += places[k];
            text.append(width - places[k].size() + 2, ' ');
            text += words[k];
        }
        return text;
    }
}
template <class T, class V>
std::string styled_text(const csr_matrix<T, V>& a, const print_style& style) {
    return sparse_text<T>("csr_matrix", a.extents, a.rows(), a.columns, a.values, style);
}
template <class T, class V>
std::string styled_text(const coo_matrix<T, V>& a, const print_style& style) {
    return sparse_text<T>("coo_matrix", a.extents, a.rows, a.columns, a.values, style);
}

}  // namespace detail

/// What the matrix is, then its entries, a line each, `...` in place of the middle of more than 50; numbers as those of
/// an array. A stream writes it as it was told to write numbers.
template <element T, class V>
std::string to_string(const csr_matrix<T, V>& a) {
    return detail::styled_text(a, {});
}
template <element T, class V>
std::string to_string(const coo_matrix<T, V>& a) {
    return detail::styled_text(a, {});
}
template <class Traits, element T, class V>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const csr_matrix<T, V>& a) {
    return out << detail::styled_text(a, detail::style_of(out));
}
template <class Traits, element T, class V>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const coo_matrix<T, V>& a) {
    return out << detail::styled_text(a, detail::style_of(out));
}

}  // namespace ricci
