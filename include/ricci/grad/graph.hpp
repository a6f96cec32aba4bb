// The tape: vertices that remember an op and its inputs, and pull cotangents back through it. What is not typed by an op
// (reference counts, ordering, the backward pass) is written once, here.
#pragma once
#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

#include "../expr/lift.hpp"

namespace ricci::detail {

class vertex;

/// Vertices that received a cotangent, latest first: an order in which every cotangent is complete before it is pulled back.
class backward_pass {
   public:
    void push(vertex* v);
    void run();

   private:
    std::vector<vertex*> waiting_;  // a heap by age
    friend class vertex;
};

/// A node of the graph: the application of an op, or a variable.
class vertex {
   public:
    vertex() : age_(next_age().fetch_add(1, std::memory_order_relaxed)) {}
    vertex(const vertex&) = delete;
    vertex& operator=(const vertex&) = delete;
    virtual ~vertex() = default;
    /// Sends the cotangents of its outputs to its inputs.
    virtual void pull(backward_pass& pass) = 0;
    /// Computes outputs whose value was put off.
    virtual void compute() {}

    void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
    /// Vertices die one after the other, not one inside the other: a long chain must not exhaust the stack.
    static void release(vertex* v) {
        if (!v || v->references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        static thread_local std::vector<vertex*>* dying = nullptr;
        if (dying) return dying->push_back(v);
        std::vector<vertex*> list{v};
        dying = &list;
        while (!list.empty()) {
            vertex* last = list.back();
            list.pop_back();
            delete last;
        }
        dying = nullptr;
    }
    std::uint64_t age() const { return age_; }

   private:
    static std::atomic<std::uint64_t>& next_age() {
        static std::atomic<std::uint64_t> age{0};
        return age;
    }
    std::atomic<int> references_{0};
    std::uint64_t age_;
    bool queued_ = false;
    friend class backward_pass;
};

inline void backward_pass::push(vertex* v) {
    if (v->queued_) return;
    v->queued_ = true;
    waiting_.push_back(v);
    std::push_heap(waiting_.begin(), waiting_.end(), [](const vertex* a, const vertex* b) { return a->age() < b->age(); });
}
inline void backward_pass::run() {
    while (!waiting_.empty()) {
        std::pop_heap(waiting_.begin(), waiting_.end(), [](const vertex* a, const vertex* b) { return a->age() < b->age(); });
        vertex* v = waiting_.back();
        waiting_.pop_back();
        v->queued_ = false;
        v->pull(*this);
    }
}

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
    ~vertex_ref() { vertex::release(vertex_); }
    vertex* get() const { return vertex_; }

   private:
    vertex* vertex_ = nullptr;
};

/// An output of a vertex: its value (perhaps put off) and the cotangent gathered for it.
template <class A>
struct graph_value {
    std::optional<A> value;
    std::optional<A> cotangent;

    void accumulate(const A& bar) {
        if (!cotangent) {
            cotangent = bar;
            return;
        }
        if constexpr (std::is_void_v<typename A::wrapper>) {
            if (cotangent->memory().unique() && cotangent->is_contiguous()) {
                *cotangent += bar;
                return;
            }
        }
        cotangent = evaluate(*cotangent + bar);
    }
    std::optional<A> take() {
        std::optional<A> bar = std::move(cotangent);
        cotangent.reset();
        return bar;
    }
};

}  // namespace ricci::detail
