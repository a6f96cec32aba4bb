// Functions that no transform looks into: pure_callback.
#pragma once
#include "function_of_arrays.hpp"

namespace ricci {
namespace detail {

struct callback_name {
    static constexpr const char* name = "pure_callback";
};

/// A function that is called with plain arrays, whatever transforms are around it.
template <class F, class Name>
struct callback_op : opaque_op {
    static constexpr const char* name = Name::name;
    F f;

    template <class... A>
    auto value(const A&... a) const {
        const auto y = pack_of(evaluate_result(f(a...)));
        [&]<class... Y>(const pack<Y...>&) {
            static_assert((std::is_void_v<typename Y::wrapper> && ...),
                          "ricci: a callback must not capture values under a transform: pass them as arguments");
        }(y);
        return y;
    }
    template <class Active, bool, class... A, class... C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C...>&) const {
        refuse();
        return transform_indices<sizeof...(A)>(
            [&](auto i) {
                using X = std::remove_cvref_t<decltype(*get<i()>(inputs))>;
                if constexpr (Active::at[i()]) return make_pack(constant_array<X>(get<i()>(inputs)->shape(), 0));
                else return pack<>{};
            },
            [](const auto&... bars) { return concat_all(bars...); });
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>&) const {
        refuse();
        const auto y = call_all(*this, inputs);
        return concat(y, y);
    }

   private:
    // at run time: what records a callback inside a custom rule for create_graph seldom pulls back through it
    RICCI_NOINLINE static void refuse() {
        raise<gradient_error>({"[", name, "] a callback has no derivative: give it one by custom_vjp or custom_jvp"});
    }
};
/// A function of arrays as such a callback.
template <class F, class Name>
struct callback_of_arrays {
    F f;
    template <class... A>
    auto operator()(const A&... a) const {
        return one_or_tuple(call(callback_op<F, Name>{{}, f}, a...));
    }
};
template <class F, class Name = callback_name, class As = as_argument_of<true>>
struct callback_function {
    F f;
    template <class... S>
    auto operator()(const S&... args) const {
        const auto op = [this]<class In, class Out>(const In& in, const Out& out) {
            using flat = function_of_arrays<F, In, Out>;
            return callback_op<flat, Name>{{}, flat{f, in, out}};
        };
        return call_of_arrays<As>(f, op, args...);
    }
};

}  // namespace detail

/// f as a function that transforms do not look into: it is called with plain tensors, and may read their elements,
/// branch on them, or call other libraries. It must be pure: no effects, the same result for the same arguments. Under
/// vmap it is called once for each member of the batch, and results must agree in shape (set_vmap_fallback says what is
/// said about that); its derivative is a gradient_error unless custom_vjp or custom_jvp give one. Arguments and results
/// are arrays, numbers, or tuples, std::vectors and structs of them (expr/structure.hpp); f gets numbers as arrays of
/// rank 0. (jax.pure_callback.)
template <class F>
auto pure_callback(F f) {
    return detail::callback_function<F>{f};
}

}  // namespace ricci
