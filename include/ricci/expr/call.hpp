// The one dispatcher: an op on arrays peels the outermost wrapper and follows that wrapper's rule, until plain tensors
// are left and the op computes.
#pragma once
#include <string_view>
#include <vector>

#include "../core/tensor.hpp"
#include "pack.hpp"

namespace ricci {

/// How deep a transform is nested at run time: each grad, jvp or vmap in progress takes the next number, so that a
/// wrapper knows whether another one was made outside or inside of it. Plain tensors are level 0, imperative variables
/// level 1.
using level_t = std::uint64_t;

namespace detail {

inline constexpr level_t variable_level = 1;

/// Takes in an array's extent of a batch, along its axis 0: 1 where all members share the values.
inline void take_batch_extent(index_t& batch, index_t extent) {
    if (batch == 1) batch = extent;
    else if (extent != 1 && extent != batch)
        raise<shape_error>({"[vmap] mapped axes of different sizes: ", batch, " and ", extent});
}
/// The extent of the batch that arguments have along axis 0, of which those of Mapped (an activity) are mapped.
template <class Mapped, class... A>
index_t batch_extent(const A&... a) {
    index_t batch = 1;
    for_indices<sizeof...(A)>([&](auto i) {
        if constexpr (Mapped::at[i()]) take_batch_extent(batch, get<i()>(make_pack(&a...))->shape()[0]);
    });
    return batch;
}

/// Counts the transforms in progress on this thread.
inline level_t& transform_depth() {
    static thread_local level_t depth = variable_level;
    return depth;
}
/// The level up to which reverse mode records nothing on this thread: under no_grad that of the innermost transform
/// around the guard; transforms inside of it record.
inline level_t& quiet_level() {
    static thread_local level_t level = 0;
    return level;
}
/// Whether reverse mode records what is computed from values of a level. Constants have level 0.
inline bool records(level_t level) { return level > quiet_level(); }
/// Sets quiet_level() for a while.
class quiet_scope {
   public:
    explicit quiet_scope(level_t level) : before_(std::exchange(quiet_level(), level)) {}
    quiet_scope(const quiet_scope&) = delete;
    quiet_scope& operator=(const quiet_scope&) = delete;
    ~quiet_scope() { quiet_level() = before_; }

   private:
    level_t before_;
};
class shared_elements;
/// A transform in progress.
struct transform_scope {
    level_t level = ++transform_depth();
    transform_scope* const outer = std::exchange(innermost(), this);
    std::uint32_t writes = 0;             // a name for what is written under it (expr/rewrite.hpp); 0 while nothing was
    shared_elements* elements = nullptr;  // what its function recorded (grad/shared_elements.hpp), while that runs

    transform_scope() = default;
    transform_scope(const transform_scope&) = delete;
    transform_scope& operator=(const transform_scope&) = delete;
    ~transform_scope() {
        innermost() = outer;
        --transform_depth();
    }
    static transform_scope*& innermost() {
        static thread_local transform_scope* scope = nullptr;
        return scope;
    }
};

/// Whether wrapper W occurs in A's chain of wrappers; with Strict, below the outermost.
template <class W, class A, bool Strict = false>
constexpr bool has_wrapper() {
    using mine = typename A::wrapper;
    if constexpr (std::is_void_v<mine>) return false;
    else if constexpr (!Strict && std::is_same_v<mine, W>) return true;
    else return has_wrapper<W, typename A::inner_type, false>();
}

/// The function that a wrapper's tag stands for.
template <class F>
struct user_function {
    using type = F;
};
template <class F>
    requires requires { typename F::made_of; }
struct user_function<F> {
    using type = typename user_function<typename F::made_of>::type;
};
/// A callable that a transform makes of F, and bears it in its type.
template <class F, class Body>
struct made_function : Body {
    using made_of = F;
    using Body::operator();
};
template <class F, class Body>
constexpr made_function<F, Body> made_from(const Body& body) {
    return {body};
}

template <class F>
constexpr std::string_view printed_name() {
    // with its length, which compilers refuse to count where it is long
    return {__PRETTY_FUNCTION__, sizeof __PRETTY_FUNCTION__ - 1};
}
/// A candidate for the outermost wrapper. A function that captured another transform's value has it in its type, as the
/// function around a lambda or as a template argument, so that its printed name is the longer one. Clang prints of
/// lambdas where they stand, mostly further down in the file: that decides between wrappers of one kind only.
struct candidate {
    int priority;
    std::string_view name;  // of transforms of functions; variables have none
    constexpr bool goes_before(const candidate& b) const {
        if (priority != b.priority && !decided_by_name(b)) return priority > b.priority;
        if (name.size() != b.name.size()) return name.size() > b.name.size();
        return priority != b.priority ? priority > b.priority : name > b.name;
    }

   private:
    constexpr bool decided_by_name(const candidate& b) const {
#ifdef __clang__
        return priority == b.priority;
#else
        return !name.empty() && !b.name.empty();
#endif
    }
};
/// -1 for what is no candidate: plain arrays, and wrappers that an argument's type shows inside of another one.
template <class W, class... A>
constexpr int candidate_priority() {
    if constexpr (std::is_void_v<W>) return -1;
    else return (has_wrapper<W, A, true>() || ...) ? -1 : W::priority;
}
template <class W>
constexpr candidate candidate_of(int priority) {
    if constexpr (std::is_void_v<W>) return {priority, {}};
    else if constexpr (!requires { typename W::tag; } || W::priority == 0) return {priority, {}};
    else return {priority, printed_name<typename user_function<typename W::tag>::type>()};
}
/// The wrapper to peel first: the innermost transform's. Mostly nested types show it; where they do not, names or the
/// order of priorities (batched, then dual, then recorded) decide. Level stamps catch what these get wrong.
template <class... A>
struct outermost {
    static constexpr int count = sizeof...(A);
    template <int I>
    static constexpr auto at() {
        return std::type_identity<typename pack_element_t<I, pack<std::type_identity<A>...>>::type::wrapper>{};
    }
    static constexpr int by_priority() {
        constexpr int priority[] = {candidate_priority<typename A::wrapper, A...>()...};
        int best = 0;
        for (int i = 1; i < count; ++i)
            if (priority[i] > priority[best]) best = i;
        return best;
    }
    static constexpr int by_name() {
        const candidate all[] = {candidate_of<typename A::wrapper>(candidate_priority<typename A::wrapper, A...>())...};
        int best = -1;
        for (int i = 0; i < count; ++i)
            if (all[i].priority >= 0 && (best < 0 || all[i].goes_before(all[best]))) best = i;
        return best;
    }
    static constexpr auto pick() {
        using best = typename decltype(at<by_priority()>())::type;
        if constexpr (((!std::is_void_v<typename A::wrapper> && !std::is_same_v<typename A::wrapper, best> &&
                        candidate_priority<typename A::wrapper, A...>() >= 0) ||
                       ...))
            return at<by_name()>();
        else return std::type_identity<best>{};
    }
    using type = typename decltype(pick())::type;
    static_assert(!std::is_void_v<type> || (std::is_void_v<typename A::wrapper> && ...),
                  "ricci: two transforms wrap each other's values here: pass the captured value as an argument");
};
/// The wrapper to peel from an op's arguments; void when all are plain.
template <class... A>
using outermost_t = typename outermost<A...>::type;

template <class W, class A>
inline constexpr bool wrapped_by_v = std::is_same_v<typename A::wrapper, W>;

/// The argument as the next level sees it: without W where it has it.
template <class W, class A>
RICCI_INLINE decltype(auto) peel(const A& a) {
    if constexpr (wrapped_by_v<W, A>) return a.inner();
    else return (a);
}

[[noreturn]] void refuse_captured(const char* inner, const char* outer);
#if RICCI_ENGINE_BODIES
RICCI_NOINLINE RICCI_ENGINE void refuse_captured(const char* inner, const char* outer) {
    detail::raise<gradient_error>({"a value captured from an outer ", outer, " meets an inner ", inner,
                                   ": pass it as an argument of the inner transform instead of capturing it"});
}
#endif

/// Refuses an op whose results Y bear the wrapper that was taken off its arguments: a function in it captured them, and
/// what they were captured from would get no derivative.
template <class W, class... Y>
constexpr void refuse_captured_in(const pack<Y...>*) {
    static_assert(
        !(has_wrapper<W, Y>() || ...),
        "ricci: a function given to checkpoint, custom_vjp or custom_jvp captures a value that derivatives are "
        "taken with respect to: it must be an argument");
}

/// What level stamps tell of an argument: its own, if the wrapper in question is its outermost, and the highest below
/// that.
struct level_stamp {
    level_t level, below;
};
template <class W, class A>
RICCI_INLINE level_stamp stamp_of(const A& a) {
    if constexpr (wrapped_by_v<W, A>) return {a.level(), a.inner_level()};
    else return {0, a.level()};
}
level_t checked_level(const level_stamp* stamps, int count, const char* name);
#if RICCI_ENGINE_BODIES
RICCI_ENGINE level_t checked_level(const level_stamp* stamps, int count, const char* name) {
    level_t level = 0, below = 0;
    for (int i = 0; i < count; ++i) {
        if (level && stamps[i].level && level != stamps[i].level) refuse_captured(name, name);
        if (stamps[i].level) level = stamps[i].level;
        if (stamps[i].below > below) below = stamps[i].below;
    }
    if (level && below >= level) refuse_captured("transform", name);
    return level;
}
#endif
/// Whether this thread has written to values under a transform.
inline bool& has_rewritten() {
    static thread_local bool yes = false;
    return yes;
}
/// Has values that were written over be read, for as long as the graph that knows them is read.
class reading_scope {
   public:
    reading_scope() = default;
    reading_scope(const reading_scope&) = delete;
    reading_scope& operator=(const reading_scope&) = delete;
    ~reading_scope() { has_rewritten() = has_rewritten() || before_; }

   private:
    bool before_ = std::exchange(has_rewritten(), false);
};
[[noreturn]] void refuse_superseded();
/// Throws gradient_error for a value under a transform that shares memory with one that was written there
/// (expr/rewrite.hpp).
template <class A>
RICCI_NOINLINE void check_current(const A& a);

/// The level of the arguments wrapped by W; constants that a transform lifted are at no level (0). Throws
/// gradient_error when they belong to different transforms, or when a value below W belongs to a transform inside of
/// W's.
template <class W, class... A>
RICCI_INLINE level_t checked_level(const A&... a) {
    if (has_rewritten()) [[unlikely]]
        (check_current(a), ...);
    level_t any = 0, all = ~level_t(0), below = 0;
    const auto look = [&](const level_stamp& stamp, bool wrapped) RICCI_INLINE_LAMBDA {
        below = below > stamp.below ? below : stamp.below;
        if (!wrapped) return;
        any |= stamp.level;
        all &= stamp.level;
    };
    (look(stamp_of<W>(a), wrapped_by_v<W, A>), ...);
    if (any == all && below < any) [[likely]]
        return any;
    const level_stamp stamps[] = {stamp_of<W>(a)...};
    return checked_level(stamps, sizeof...(A), W::name);
}

template <class W, class A>
level_t checked_list_level(const std::vector<A>& list) {
    std::vector<level_stamp> stamps;
    stamps.reserve(list.size());
    for (const A& a : list) {
        if (has_rewritten()) check_current(a);
        stamps.push_back(stamp_of<W>(a));
    }
    return checked_level(stamps.data(), static_cast<int>(stamps.size()), W::name);
}

/// What an op is that is no kernel: neither fused, nor linear, nor given equal arguments as one.
struct opaque_op {
    static constexpr bool value_with_gradient = false;
    static constexpr bool linear = false;
    static constexpr bool merges = false;
};
/// Ops that replace elements of their first argument, in its memory where they are told so and nobody else sees that
/// (ops/index/put.hpp).
template <class Op>
inline constexpr bool replaces_elements = requires { requires Op::replaces; };

/// Whether an op was made by a wrapper other than W together with its value.
template <class Op, class W>
constexpr bool is_known_below() {
    if constexpr (requires { typename Op::known_to; }) return !std::is_same_v<W, typename Op::known_to>;
    else return false;
}
/// Such an op's value, or a pack of several.
template <class Y>
pack<Y> known_results(const Y& y) {
    return {{{y}}};
}
template <class... Y>
const pack<Y...>& known_results(const pack<Y...>& y) {
    return y;
}
/// Evaluates an op on arrays of any wrappers; the results come as a pack.
template <class Op, class... A>
auto call(const Op& op, const A&... a) {
    using W = outermost_t<A...>;
    if constexpr (is_known_below<Op, W>()) return known_results(op.y);
    else if constexpr (std::is_void_v<W>) return op.value(a...);
    else return W::call(op, a...);
}

/// The only result of an op that has one.
template <class Op, class... A>
auto call1(const Op& op, const A&... a) {
    return get<0>(call(op, a...));
}

/// The same of arrays in packs of pointers.
template <class Op, int... I, class... A>
RICCI_INLINE auto call_all(const Op& op, const pack_base<std::integer_sequence<int, I...>, const A*...>& a) {
    return call(op, *get<I>(a)...);
}
template <class Op, int... I, class... A, int... K, class... B>
RICCI_INLINE auto call_all(const Op& op, const pack_base<std::integer_sequence<int, I...>, const A*...>& a,
                           const pack_base<std::integer_sequence<int, K...>, const B*...>& b) {
    return call(op, *get<I>(a)..., *get<K>(b)...);
}

/// Evaluates a linear op of a list of arrays of one type (ops/join.hpp), as long as it happens to be: `value(list)` of
/// plain tensors, `batched(batch)`, and `part(i)`, the op that takes a cotangent of the result to one of the i-th
/// array.
template <class Op, class A>
auto call_list(const Op& op, const std::vector<A>& list) {
    if constexpr (std::is_void_v<typename A::wrapper>) return op.value(list);
    else return A::wrapper::call_list(op, list);
}

}  // namespace detail
}  // namespace ricci
