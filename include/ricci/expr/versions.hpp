// How often arrays were written to in place: what was recorded of one that was since is refused, never a wrong
// derivative.
#pragma once
#include "structure.hpp"

namespace ricci::detail {

/// The version of a plain tensor's memory, which in-place writes raise; wrappers check their own parts.
template <class A>
std::uint32_t version_of(const A& a) {
    if constexpr (scalar_value<A>) return 0;
    else if constexpr (std::is_void_v<typename A::wrapper>) return a.memory() ? a.memory().version() : 0;
    else return 0;
}
/// The sum of those of arrays and lists of them, which grows with every write.
template <class... A>
std::uint64_t versions_of(const A&... places) {
    std::uint64_t sum = 0;
    (each_array([&](const auto& a) { sum += version_of(a); }, places), ...);
    return sum;
}
/// The same of a tuple of arguments.
template <class... S>
std::uint64_t versions_of_arguments(const std::tuple<S...>& arguments) {
    const auto of_one = [](const auto& a) {
        return unpack([](const auto&... place) { return versions_of(place...); },
                      structure<std::remove_cvref_t<decltype(a)>>::arrays(a));
    };
    return std::apply([&](const auto&... a) { return (std::uint64_t(0) + ... + of_one(a)); }, arguments);
}
/// Of a function that is called once for each chunk or direction.
[[noreturn, gnu::cold]] RICCI_NOINLINE inline void refuse_shared_write(const char* who) {
    raise<value_error>({"[", who,
                        "] the function is called several times here, and writes to an argument that all calls share: "
                        "it is to write to a copy, auto y = x.clone()"});
}
[[noreturn, gnu::cold]] RICCI_NOINLINE inline void refuse_changed(const char* who, const char* what) {
    raise<gradient_error>({"[", who, "] ", what, " was changed in place after the function was recorded"});
}
[[noreturn, gnu::cold]] RICCI_NOINLINE inline void refuse_changed_argument(const char* who) {
    refuse_changed(who, "an argument");
}

}  // namespace ricci::detail
