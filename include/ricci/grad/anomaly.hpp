// Anomaly detection: which op's derivative made a NaN. All of this is cold.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "../expr/fused.hpp"

namespace ricci::detail {

template <class T>
RICCI_NOINLINE bool any_nan(const T* data, const index_t* extents, const index_t* strides, int rank) {
    if (rank == 0) return *data != *data;
    for (index_t i = 0; i < *extents; ++i)
        if (any_nan(data + i * *strides, extents + 1, strides + 1, rank - 1)) return true;
    return false;
}
template <class A>
bool has_nan(const A& a) {
    if constexpr (!std::is_void_v<typename A::wrapper>) {
        return has_nan(a.inner());
    } else {
        const auto host = a.to(cpu_device{});
        return any_nan(host.data(), host.shape().extent, host.strides().extent, A::rank);
    }
}

/// What the compiler prints of an op's type.
template <class Op>
constexpr const char* printed_type() {
    return __PRETTY_FUNCTION__;
}

/// A node of a tree, which its children follow: an op, or a leaf, which has none.
struct text_step {
    const char* type;  // of an op, as printed; null of a leaf
    int children;
    char letter;  // of a slot; 0 of a number
};
template <class Node>
inline constexpr std::array<text_step, 1> text_steps{{{nullptr, 0, 0}}};
template <int I, class T>
inline constexpr std::array<text_step, 1> text_steps<slot<I, T>>{{{nullptr, 0, static_cast<char>('a' + I % 26)}}};
template <class To, class Child>
inline constexpr auto text_steps<cast_node<To, Child>> = text_steps<Child>;
template <class Op, class T, class... Child>
inline constexpr auto text_steps<op_node<Op, T, Child...>> = [] {
    std::array<text_step, (1 + ... + text_steps<Child>.size())> all{{{printed_type<Op>(), sizeof...(Child), 0}}};
    std::size_t n = 1;
    const auto append = [&](const auto& steps) {
        for (const text_step& s : steps) all[n++] = s;
    };
    (append(text_steps<Child>), ...);
    return all;
}();

/// An op as its vertices describe it: data, since it is hardly ever printed and there are many ops.
struct op_description {
    const text_step* steps;  // of a fused op
    bool reduces;
    const char* name;  // of another one
};
template <class Op>
inline constexpr op_description description_of{nullptr, false, Op::name};
template <class Op>
    requires requires { typename Op::sweep_type; }
inline constexpr op_description description_of<Op>{text_steps<typename Op::sweep_type::tree_type>.data(), Op::reduces,
                                                   nullptr};

/// Appends a tree as nested calls, its slots as the letters a, b, c...; gives the step behind it.
inline const text_step* append_tree(std::string& to, const text_step* at) {
    const text_step& node = *at++;
    if (!node.type) {
        if (node.letter) to += node.letter;
        else to += "number";
        return at;
    }
    std::string_view text = node.type;  // the name without its namespace
    text.remove_prefix(text.find("Op = ") + 5);
    text = text.substr(0, text.find_first_of(";]<"));
    to += text.substr(text.rfind(':') + 1);  // npos + 1 is 0
    const char* before = "(";
    for (int k = 0; k < node.children; ++k, before = ", ") {
        to += before;
        at = append_tree(to, at);
    }
    to += ")";
    return at;
}
/// An op as a user would know it.
inline std::string op_text(const op_description& op) {
    if (!op.steps) return op.name;
    std::string text;
    append_tree(text, op.steps);
    return op.reduces ? "sum(" + text + ")" : text;
}
template <class A>
void refuse_nan(const A& adjoint, int argument, const op_description& op) {
    if (!has_nan(adjoint)) return;
    const std::string name = op_text(op);
    detail::raise<gradient_error>({"[backward] the derivative of ", name.c_str(), " with respect to argument ",
                                   argument, ", of shape ", adjoint.shape(), ", has a NaN"});
}

}  // namespace ricci::detail
