// std::format of arrays and shapes, where the standard library has it: "{}" as to_string, "{:.3f}" and the like for
// each element.
#pragma once
#include <version>

#if defined(__cpp_lib_format)
#include <algorithm>
#include <format>

#include "../core/print.hpp"

namespace ricci::detail {

/// How a complex number is written by "{:spec}", as Python does: both parts without a width, which is that of the
/// whole.
struct format_parts {
    std::string part;
    std::size_t width = 0;
    explicit format_parts(const std::string& spec) {
        constexpr std::string_view alignments = "<>^";
        std::size_t i = 0;
        if (spec.size() > 1 && alignments.find(spec[1]) != alignments.npos) i = 2;
        else if (!spec.empty() && alignments.find(spec[0]) != alignments.npos) i = 1;
        for (; i < spec.size() && std::string_view("+- #").find(spec[i]) != std::string_view::npos; ++i)
            part += spec[i];
        for (; i < spec.size() && spec[i] >= '0' && spec[i] <= '9'; ++i)
            width = 10 * width + static_cast<std::size_t>(spec[i] - '0');
        part += spec.substr(i);
    }
};
template <class E>
std::string formatted_plain(const E& e, const std::string& spec);

/// The text of an array, each of its elements formatted by "{:spec}"; all are aligned at the right. Under a transform
/// that of what it wraps.
template <expression E>
std::string formatted(const E& e, const std::string& spec) {
    if constexpr (requires { e.inner(); }) return formatted(e.inner(), spec);
    else if constexpr (requires { evaluate(e).inner(); }) return formatted(evaluate(e), spec);
    else return formatted_plain(e, spec);
}
template <class E>
std::string formatted_plain(const E& e, const std::string& spec) {
    using T = value_type_t<E>;
    const auto host = host_value(e);
    const format_parts parts(is_complex_v<T> ? spec : std::string());
    const auto element = [&](const T& x) {
        const auto number = [&](const auto& value) {
            return std::vformat("{:" + spec + "}", std::make_format_args(value));
        };
        if constexpr (is_complex_v<T>) {
            const auto re = x.real(), im = x.imag();
            std::string text = std::vformat("{:" + parts.part + "}", std::make_format_args(re));
            const std::string second = std::vformat("{:" + parts.part + "}", std::make_format_args(im));
            if (second[0] == ' ') text += '+' + second.substr(1);
            else text += (second[0] == '-' || second[0] == '+' ? "" : "+") + second;
            text += 'j';
            return text.size() < parts.width ? std::string(parts.width - text.size(), ' ') + text : text;
        } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, bool>) return number(x);
        else if constexpr (std::is_integral_v<T>) {
            const std::conditional_t<std::is_signed_v<T>, long long, unsigned long long> wide =
                x;  // a char is a number here
            return number(wide);
        } else {
            const auto wide = static_cast<double>(x);
            return number(wide);
        }
    };
    if constexpr (rank_v<E> == 0) return element(*host.data());
    const auto words_of = [&](const std::vector<T>& values) {
        std::vector<std::string> words;
        std::size_t width = 0;
        for (const T value : values) {
            words.push_back(element(value));
            width = std::max(width, words.back().size());
        }
        for (std::string& w : words) w.insert(0, width - w.size(), ' ');
        return words;
    };
    return array_text(host.data(), host.shape().begin(), host.strides().begin(), rank_v<E>, words_of);
}

/// Parses "{}" and "{:spec}", which is kept.
struct kept_spec {
    std::string spec;
    constexpr auto parse(std::format_parse_context& context) {
        auto at = context.begin();
        for (; at != context.end() && *at != '}'; ++at) {
            if (*at == '{') throw std::format_error("ricci: no nested fields in the format of an array");
            spec += *at;
        }
        return at;
    }
};

}  // namespace ricci::detail

/// std::format("{}", x) is to_string(x); std::format("{:.3f}", x) formats each element so, in the same layout.
template <ricci::expression E>
struct std::formatter<E, char> : ricci::detail::kept_spec {
    template <class Context>
    auto format(const E& e, Context& context) const {
        const std::string text = spec.empty() ? ricci::to_string(e) : ricci::detail::formatted(e, spec);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
/// "(2, 3)".
template <int R>
struct std::formatter<ricci::shape<R>, char> : std::formatter<std::string, char> {
    template <class Context>
    auto format(const ricci::shape<R>& s, Context& context) const {
        return std::formatter<std::string, char>::format(ricci::to_string(s), context);
    }
};

#if defined(__cpp_lib_format_ranges)  // a tensor is a range too, and a shape; a map has begin(), which refuses
namespace ricci {
template <class Op, class... Args>
class map_node;
}
template <class Op, class... Args>
constexpr auto std::format_kind<ricci::map_node<Op, Args...>> = std::range_format::disabled;
template <ricci::element T, int R, class Device>
constexpr auto std::format_kind<ricci::tensor<T, R, Device>> = std::range_format::disabled;
template <int R>
constexpr auto std::format_kind<ricci::shape<R>> = std::range_format::disabled;
#endif
#endif
