// Functions that no transform looks into: pure_callback.
#pragma once
#include "../expr/structure.hpp"

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
        static_assert(
            std::is_invocable_v<const F&, const A&...>,
            "ricci: a callback, or a root's solver, is called with all arguments as arrays, numbers with rank 0");
        const auto y = evaluate_result(f(a...));
        static_assert(array<std::remove_cvref_t<decltype(y)>>, "ricci: a callback gives one array or number");
        static_assert(std::is_void_v<typename std::remove_cvref_t<decltype(y)>::wrapper>,
                      "ricci: a callback must not capture values under a transform: pass them as arguments");
        return make_pack(y);
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>&) const {
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
        const auto y = get<0>(call_all(*this, inputs));
        return make_pack(y, y);
    }

   private:
    // at run time: what records a callback inside a custom rule for create_graph seldom pulls back through it
    RICCI_NOINLINE static void refuse() {
        raise<gradient_error>({"[", name, "] a callback has no derivative: give it one by custom_vjp or custom_jvp"});
    }
};
template <class F, class Name>
struct callback_function {
    F f;
    template <class... A>
    auto operator()(const A&... a) const {
        return call1(callback_op<F, Name>{{}, f}, as_array(a)...);
    }
};

}  // namespace detail

/// f as a function that transforms do not look into: it is called with plain tensors, and may read their elements, branch on
/// them, or call other libraries. It must be pure: no effects, the same result for the same arguments. Under vmap it is
/// called once for each member of the batch, and results must agree in shape (set_vmap_fallback says what is said about
/// that); its derivative is a gradient_error unless custom_vjp or custom_jvp give one. Gives one array or number.
/// (jax.pure_callback.)
template <class F>
auto pure_callback(F f) {
    return detail::callback_function<F, detail::callback_name>{f};
}

}  // namespace ricci
