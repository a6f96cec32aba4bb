// The tape: vertices that remember an op and its inputs, and pull cotangents back through it. What is not typed by an op
// (reference counts, ordering, the backward pass) is written once, here.
#pragma once
#include <atomic>
#include <optional>
#include <queue>
#include <vector>

#include "../expr/assign.hpp"
#include "../expr/lift.hpp"

namespace ricci {

template <array A, class Tag>
class recorded;

}  // namespace ricci

namespace ricci::detail {

class vertex;
class backward_pass;

/// A node of the graph: the application of an op, or a variable.
class vertex {
   public:
    /// Of a transform at `level`, whose inputs' values belong to transforms up to `inner_level`.
    vertex(level_t level, level_t inner_level) : level_(level), inner_level_(inner_level), age_(next_age()) {}
    vertex(const vertex&) = delete;
    vertex& operator=(const vertex&) = delete;
    virtual ~vertex() = default;
    /// Sends the cotangents of its outputs to its inputs.
    virtual void pull(backward_pass& pass) = 0;
    /// The same with cotangents that are recorded in their turn; variables alone can.
    virtual void pull_recorded(backward_pass&) {
        detail::raise<gradient_error>(
            {"[autograd::grad] create_graph needs variables: inside grad or vjp, nest the transforms instead"});
    }
    virtual bool is_variable() const { return false; }
    /// Computes outputs whose value was put off.
    virtual void compute() {}
    /// Drops cotangents that a backward pass did not come to pull, because it threw.
    virtual void forget() {}

    void retain() { add_reference(references_); }
    RICCI_NOINLINE void release() {
        if (drop_reference(references_)) die(this);
    }
    level_t level() const { return level_; }
    level_t inner_level() const { return inner_level_; }
    std::uint64_t age() const { return age_; }

   private:
    static std::uint64_t next_age() {
        static std::atomic<std::uint64_t> age{0};
        add_reference(age);
        return age.load(std::memory_order_relaxed);
    }
    /// Vertices die one after the other, not one inside the other: a long chain must not exhaust the stack.
    static RICCI_NOINLINE void die(vertex* v) {
        static thread_local std::vector<vertex*>* dying = nullptr;
        if (dying) return dying->push_back(v);
        std::vector<vertex*> list;
        dying = &list;
        for (;;) {
            delete v;
            if (list.empty()) break;
            v = list.back();
            list.pop_back();
        }
        dying = nullptr;
    }

    std::atomic<int> references_{0};
    level_t level_, inner_level_;
    std::uint64_t age_;
    bool queued_ = false;
    friend class backward_pass;
};

/// A counted reference to a vertex.
class vertex_ref {
   public:
    vertex_ref() = default;
    explicit vertex_ref(vertex* v) : vertex_(v) {
        if (v) v->retain();
    }
    vertex_ref(const vertex_ref& other) : vertex_ref(other.vertex_) {}
    vertex_ref(vertex_ref&& other) noexcept : vertex_(std::exchange(other.vertex_, nullptr)) {}
    vertex_ref& operator=(vertex_ref other) noexcept {
        std::swap(vertex_, other.vertex_);
        return *this;
    }
    ~vertex_ref() {
        if (vertex_) vertex_->release();
    }
    /// Takes over a reference that was counted already.
    static vertex_ref adopt(vertex* v) {
        vertex_ref r;
        r.vertex_ = v;
        return r;
    }
    vertex* get() const { return vertex_; }

   private:
    vertex* vertex_ = nullptr;
};

/// Vertices that received a cotangent, latest first: an order in which every cotangent is complete before it is pulled back.
class backward_pass {
   public:
    bool recording = false;     // cotangents are themselves recorded (create_graph)
    bool accumulating = false;  // variables add what arrives to their gradients (backward)

    backward_pass() = default;
    backward_pass(const backward_pass&) = delete;
    backward_pass& operator=(const backward_pass&) = delete;
    /// What is still waiting was left by an exception: the graph is good for the next pass.
    ~backward_pass() {
        while (!waiting_.empty()) next().get()->forget();
    }
    void push(vertex* v) {
        if (v->queued_) return;
        waiting_.push(v);
        v->queued_ = true;
        v->retain();
    }
    void run() {
        while (!waiting_.empty()) {
            const vertex_ref v = next();
            try {
                if (recording) v.get()->pull_recorded(*this);
                else v.get()->pull(*this);
            } catch (...) {
                v.get()->forget();
                throw;
            }
        }
    }

   private:
    struct older {
        bool operator()(const vertex* a, const vertex* b) const { return a->age() < b->age(); }
    };
    vertex_ref next() {
        vertex_ref v = vertex_ref::adopt(waiting_.top());
        waiting_.pop();
        v.get()->queued_ = false;
        return v;
    }
    std::priority_queue<vertex*, std::vector<vertex*>, older> waiting_;  // each retained; the latest on top
};

/// a + b into a, in place where nobody else sees a's memory.
template <class A>
void accumulate_into(std::optional<A>& a, const A& b) {
    if (!a) {
        a = b;
        return;
    }
    if constexpr (std::is_void_v<typename A::wrapper>) {
        const bool in_place = is_reusable(*a) && a->is_contiguous();
        const A sum = in_place ? *a : A::uninitialized(a->shape());
        run_map_into(*a + b, sum);
        if (in_place) sum.memory().bump_version();
        a = sum;
    } else {
        a = evaluate(*a + b);
    }
}
template <class A>
std::optional<A> taken(std::optional<A>& a) {
    std::optional<A> value = std::move(a);
    a.reset();
    return value;
}

/// The version of a plain tensor's memory, which in-place writes raise; wrappers check their own parts.
template <class A>
std::uint32_t version_of(const A& a) {
    if constexpr (std::is_void_v<typename A::wrapper>) return a.memory() ? a.memory().version() : 0;
    else return 0;
}

/// An output of a vertex: its value (perhaps put off) and the cotangent gathered for it.
template <class A>
struct plain_graph_value {
    vertex* owner;
    shape<A::rank> extents;
    std::optional<A> value;
    std::optional<A> cotangent;
    std::uint32_t first_version = 0;  // of the value's memory, when it was set

    void set(const A& a) {
        value = a;
        first_version = version_of(a);
    }
    /// How often the value was written in place; one that is put off was not.
    std::uint32_t writes() const { return value ? version_of(*value) - first_version : 0; }
    void forget() { cotangent.reset(); }
};
template <class A, class Tag, bool Variable = Tag::is_variable>
struct graph_value : plain_graph_value<A> {};
template <class A, class Tag>
struct graph_value<A, Tag, true> : plain_graph_value<A> {
    std::optional<recorded<A, Tag>> recorded_cotangent;
    // what autograd::grad asks for on its way
    bool wanted = false;
    std::optional<A> seen;
    std::optional<recorded<A, Tag>> recorded_seen;

    void forget() {
        this->cotangent.reset();
        recorded_cotangent.reset();
    }
    /// The cotangent that was gathered; a copy stays where autograd::grad wants it.
    std::optional<A> take() {
        if (wanted) seen = this->cotangent;
        return taken(this->cotangent);
    }
    std::optional<recorded<A, Tag>> take_recorded() {
        if (wanted) recorded_seen = recorded_cotangent;
        return taken(recorded_cotangent);
    }
};

}  // namespace ricci::detail
