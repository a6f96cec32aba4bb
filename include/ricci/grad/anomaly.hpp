// Anomaly detection: which op's derivative made a NaN. All of this is cold.
#pragma once
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

/// The name of an op's type without its namespace, as the compiler prints it.
template <class Op>
std::string_view type_text() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("Op = ") + 5);
    text = text.substr(0, text.find_first_of(";]<"));
    const auto colon = text.rfind(':');
    return colon == text.npos ? text : text.substr(colon + 1);
}

/// A tree as nested calls, its slots as the letters a, b, c...
template <class Node>
struct tree_text;
template <int I, class T>
struct tree_text<slot<I, T>> {
    static void append(std::string& to) { to += static_cast<char>('a' + I % 26); }
};
template <class T>
struct tree_text<constant_node<T>> {
    static void append(std::string& to) { to += "number"; }
};
template <class To, class Child>
struct tree_text<cast_node<To, Child>> : tree_text<Child> {};
template <class Op, class T, class... Child>
struct tree_text<op_node<Op, T, Child...>> {
    static void append(std::string& to) {
        to += type_text<Op>();
        const char* before = "(";
        ((to += before, tree_text<Child>::append(to), before = ", "), ...);
        to += ")";
    }
};

/// An op as a user would know it.
template <class Op>
std::string op_text() {
    std::string text;
    if constexpr (requires { typename Op::sweep_type; }) {
        tree_text<typename Op::sweep_type::tree_type>::append(text);
        return Op::reduces ? "sum(" + text + ")" : text;
    } else {
        return Op::name;
    }
}
template <class A>
void refuse_nan(const A& adjoint, int argument, std::string (*op)()) {
    if (!has_nan(adjoint)) return;
    const std::string name = op();
    detail::raise<gradient_error>({"[backward] the derivative of ", name.c_str(), " with respect to argument ",
                                   argument, ", of shape ", adjoint.shape(), ", has a NaN"});
}

}  // namespace ricci::detail
