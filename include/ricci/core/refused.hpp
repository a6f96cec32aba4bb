// What a function returns that refuses its arguments and got no array, a vector most often.
#pragma once
#include "tensor.hpp"

namespace ricci {
namespace detail {

/// The base of the classes that say why: an array, so that what is done with the result makes no second error.
/// (Functions that refuse an array return it, to the same end; those without a result are instantiated after the error
/// of who uses it.)
struct refused_result : tensor<double, 0> {};
template <class Never>
auto refused() {
    return refused_result();
}

template <class A>
concept list_of_elements = !expression<A> && requires(const A& a) {
    std::size(a), std::begin(a);
    requires !std::is_same_v<std::remove_cvref_t<decltype(*std::data(a))>, char>;  // text
};
template <class... A>
concept any_list = (list_of_elements<A> || ...);

template <class... A>
struct refused_list : refused_result {
    static_assert(
        always_false<void(A...)>,
        "ricci: a vector or span becomes an array by from_span(v), which copies, or borrow(v), which views it; "
        "braces by tensor{1.0, 2.0}; a vector of arrays by stack(v)");
};

}  // namespace detail
}  // namespace ricci
