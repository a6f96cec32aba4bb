// Several results in a struct with names, which is read as a tuple, too.
#pragma once
#include <iosfwd>
#include <tuple>
#include <type_traits>

#include "../expr/pack.hpp"

namespace ricci {
namespace detail {

/// What a result with names becomes a tuple of, beside the references that std::tie assigns from.
template <class T>
concept no_reference = !std::is_reference_v<T>;
/// Structs with names for several results, whose members are the elements of a tuple, too.
template <class R>
concept named_result = requires { typename R::ricci_named; };
/// An op's results in such a struct.
template <template <class...> class Named, class... Y>
auto named(const pack<Y...>& y) {
    return unpack([](const auto&... results) { return Named<Y...>{results...}; }, y);
}

}  // namespace detail

/// Elements and where they come from, what topk, kthvalue, cummax and cummin give: for bindings, std::get and std::tie
/// as a tuple is. (torch.return_types.)
template <class Values, class Indices>
struct selected_result {
    using ricci_named = void;
    Values values;
    Indices indices;
    friend auto members(const selected_result& y) { return std::tie(y.values, y.indices); }
    operator std::tuple<Values&, Indices&>() { return {values, indices}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
namespace detail {
template <class Values, class Indices>
auto selected(const Values& values, const Indices& indices) {
    return selected_result<Values, Indices>{values, indices};
}
}  // namespace detail

/// Writes it as the tuple that it stands for.
template <class Traits, detail::named_result R>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const R& y) {
    return out << std::apply([](const auto&... part) { return std::make_tuple(part...); }, members(y));
}

}  // namespace ricci

namespace std {
/// Element I of a result with names, as of the tuple that it stands for.
template <size_t I, ricci::detail::named_result R>
const auto& get(const R& r) noexcept {
    return std::get<I>(members(r));
}
template <size_t I, ricci::detail::named_result R>
auto get(R&& r) noexcept
    requires(!is_reference_v<R>)
{
    return std::get<I>(members(r));
}
}  // namespace std
