// Writes to values under a transform: x(...) = e and x += e make a new value, which the name x is bound to. Memory of
// the old one is marked, so that other names for it, which in a plain array would see the write, are refused from then
// on.
#pragma once
#include <atomic>

#include "../core/randomness.hpp"
#include "index.hpp"
#include "lift.hpp"

namespace ricci::detail {

// A mark names a transform in progress and a wrapper: arrays that a function's argument shares, as its caller's own,
// are none of the function's names, and are at another level or under other wrappers.

inline const storage nowhere;
/// The memory of the plain array in the wrappers around it; none where the value is put off, so that nobody shares it.
template <class A>
const storage& known_memory(const A& a) {
    if constexpr (std::is_void_v<typename A::wrapper>) {
        return a.memory();
    } else {
        if constexpr (requires { a.output()->is_known(); })
            if (!a.output()->is_known()) return nowhere;
        return known_memory(a.inner());
    }
}

/// The mark of a write to values of a level and a wrapper; of `level` 0, constants, in the innermost transform. 0:
/// there is none. Only a writer gives a transform its name.
std::uint32_t write_mark(level_t level, const void* wrapper, bool writes);
#if RICCI_ENGINE_BODIES
RICCI_NOINLINE RICCI_ENGINE std::uint32_t write_mark(level_t level, const void* wrapper, bool writes) {
    static std::atomic<std::uint32_t> names{1};
    transform_scope* scope = transform_scope::innermost();
    while (scope && level && scope->level != level) scope = scope->outer;
    if (scope && writes && !scope->writes) scope->writes = ++names;
    const std::uint32_t name = scope ? scope->writes : level <= variable_level;
    if (!name) return 0;
    const auto address = reinterpret_cast<std::uintptr_t>(wrapper);
    const auto mark = (name * 0x9E3779B1U) ^ static_cast<std::uint32_t>(address ^ (address >> 32));
    return mark ? mark : 1;
}
RICCI_NOINLINE RICCI_ENGINE void refuse_superseded() {
    raise<gradient_error>(
        {"[assign] this value shares memory with one that was written under the transform, x(...) = e or x += e, after "
         "it was taken, and does not see what was written: write to the array itself, or take a clone() to keep"});
}
#endif

/// A value for its user to write to: a part that was copied out of memory that it would be a view of is for reading.
template <class A>
A shown_value(const A& a) {
    if constexpr (std::is_void_v<typename A::wrapper>)
        if (a.memory().follows_writes()) return A(a.memory().read_only(), a.data(), a.shape(), a.strides());
    return a;
}
template <class A>
void check_current(const A& a) {
    if constexpr (!std::is_void_v<typename A::wrapper>) {
        const storage& memory = known_memory(a);
        if (!memory.may_be_superseded()) return;
        if (memory.is_superseded(write_mark(a.level(), &wrapper_identity<typename A::wrapper>, false)))
            refuse_superseded();
    }
}
/// Whether x is a variable that derivatives are taken of.
template <class X>
bool is_leaf_variable(const X& x) {
    if constexpr (variable_like<X>) return x.is_leaf() && x.requires_grad();
    else return false;
}
/// Refuses a write to a variable that derivatives are taken of while they are recorded.
template <class X>
void refuse_recorded_write(const X& x) {
    if (is_leaf_variable(x) && records(variable_level))
        raise<gradient_error>(
            {"[assign] a variable that derivatives are taken of is not written to, x += e or x(...) = e: its value "
             "is, x.value() += e"});
}
/// Binds the name x to what it holds after a write. A variable under no_grad stays the variable that it is, and has its
/// value written, as PyTorch's.
template <class X, class Y>
void rewrite(X& x, const Y& y) {
    if constexpr (variable_like<X>) {
        refuse_recorded_write(x);
        if (is_leaf_variable(x)) {
            X changed = x;  // of x's type, whatever y is under
            changed = y;
            x.value()(ellipsis) = changed.inner();
            return;
        }
    }
    const storage before = known_memory(x);
    const std::uint32_t mark = write_mark(x.level(), &wrapper_identity<typename X::wrapper>, true);
    x = y;
    const storage& now = known_memory(x);
    if (now.is_logged()) now.log_write(mark);
    else if (before == now) return;
    if (!(before == now)) before.supersede(mark);
    has_rewritten() = true;
}
/// The same of x op e, of x's shape and kind of numbers.
template <class X, class Y>
void change(X& x, const Y& changed) {
    static_assert(Y::rank == X::rank, "ricci: the right side has more dimensions than the array that it changes");
    check_in_place<typename X::value_type, typename Y::value_type>();
    if (!(changed.shape() == x.shape()))
        raise<shape_error>(
            {"[assign] shape ", changed.shape(), " does not broadcast to the array's shape ", x.shape()});
    rewrite(x, changed);
}

}  // namespace ricci::detail
