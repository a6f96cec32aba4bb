// The parameters of distributions: numbers and arrays that broadcast, checked before anything is drawn.
#pragma once
#include "../checked_values.hpp"
#include "../create.hpp"
#include "../elementwise.hpp"
#include "../reduce.hpp"
#include "../stop_gradient.hpp"
#include "draw.hpp"

namespace ricci::detail {

/// A parameter evaluated once; numbers stay numbers.
template <class P>
auto parameter(const P& p) {
    if constexpr (expression<P>) return evaluate(p);
    else return p;
}
template <class P>
auto constant_parameter(const P& p) {
    if constexpr (expression<P>) return stop_gradient(p);
    else return p;
}
/// A parameter in the type that is computed in.
template <class T, class P>
auto parameter_as(const P& p) {
    if constexpr (expression<P>) return as_type<T>(p);
    else return static_cast<T>(p);
}

template <class... P>
constexpr auto arrays_among() {
    return join_all(std::conditional_t<expression<P>, type_list<std::remove_cvref_t<P>>, type_list<>>{}...);
}
/// The common floating type of the arrays among parameters, double for numbers alone.
template <class... P>
constexpr auto floating_parameters() {
    return []<class... A>(type_list<A...>) {
        if constexpr (sizeof...(A) == 0) return double();
        else return inexact_t<common_t<typename A::value_type...>>();
    }(arrays_among<P...>());
}
/// The element type of a sample: T, or unless that is given the parameters'.
template <class T, class... P>
using sample_type = std::conditional_t<std::is_void_v<T>, decltype(floating_parameters<P...>()), T>;
/// Where a sample lives: where its parameters do; where those are numbers, on D.
template <class D, class... P>
using sample_device =
    std::conditional_t<std::is_void_v<typename common_device<P...>::type>, D, typename common_device<P...>::type>;

/// The shape that parameters broadcast to.
struct common_size {};
template <class... P>
auto sample_shape(common_size, const char*, const P&... p) {
    constexpr int rank = [] {
        int r = 0;
        const auto longer = [&](int other) { r = other > r ? other : r; };
        [&]<class... A>(type_list<A...>) { (longer(0), ..., longer(A::rank)); }(arrays_among<P...>());
        return r;
    }();
    shape<rank> extents = unit_shape<rank>();
    const auto widen = [&](const auto& x) {
        if constexpr (expression<decltype(x)>) broadcast_into(extents, x.shape());
    };
    (widen(p), ...);
    return extents;
}
/// The shape that was asked for, to which they must broadcast.
template <int R, class... P>
shape<R> sample_shape(const shape<R>& extents, const char* who, const P&... p) {
    const auto check = [&](const auto& x) {
        if constexpr (expression<decltype(x)>) {
            constexpr int rank = rank_v<decltype(x)>;
            static_assert(rank <= R, "ricci: a parameter has more axes than the shape that is asked for");
            for (int d = 0; d < rank; ++d)
                if (x.shape()[d] != 1 && x.shape()[d] != extents[R - rank + d])
                    raise<shape_error>(
                        {"[", who, "] a parameter of shape ", x.shape(), " does not broadcast to shape ", extents});
        }
    };
    (check(p), ...);
    check_extents(extents, 1, who);
    return extents;
}

/// Random numbers of a sample's shape, in the batches of its parameters; constants of every derivative.
template <random_source Source, class T, class D, int R, class... P>
auto draw(const shape<R>& extents, generator& g, const char* who, const P&...) {
    using wrappers = decltype([]<class... A>(type_list<A...>) { return chain_of_t<A...>{}; }(arrays_among<P...>()));
    using source = random_draw<Source, drawn_t<T>, R + is_complex_v<T>, sample_device<D, P...>>;
    return as_drawn<Source, T>(source(drawn_shape<T>(extents), g, who, "no parameter is")(wrappers{}));
}
/// The value of a map of a draw, in the draw's memory where it can stay there.
template <class Z, class E>
auto reusing(const Z& z, const E& e) {
    if constexpr (std::is_void_v<typename Z::wrapper> && all_plain<E>()) {
        write(z, e);
        return z;
    } else {
        return evaluate(e);
    }
}
/// f(parameters) evaluated without derivatives, or at once of numbers.
template <class F, class... P>
auto constant_map(const F& f, const P&... p) {
    return parameter(f(constant_parameter(p)...));
}

}  // namespace ricci::detail
