// The tape: vertices that remember an op and its inputs, and pull cotangents back through it. What is not typed by an op
// (reference counts, ordering, the backward pass) is written once, here.
#pragma once
#include <atomic>
#include <queue>
#include <vector>

#include "../core/spinlock.hpp"
#include "../expr/call.hpp"

namespace ricci::detail {

class vertex;
class backward_pass;

/// The allocator of lists that come and go with every backward pass: from the cache of tensors' memory.
template <class T>
struct cached_memory {
    using value_type = T;
    cached_memory() = default;
    template <class U>
    cached_memory(const cached_memory<U>&) {}
    static T* allocate(std::size_t n) { return static_cast<T*>(heap::cache_allocate(n * sizeof(T))); }
    static void deallocate(T* memory, std::size_t n) noexcept { heap::cache_release(memory, n * sizeof(T)); }
    friend bool operator==(const cached_memory&, const cached_memory&) { return true; }
};

/// A node of the graph: the application of an op, or a variable.
class vertex {
   public:
    /// Of a transform at `level`, whose inputs' values belong to transforms up to `inner_level`.
    vertex(level_t level, level_t inner_level) : level_(level), inner_level_(inner_level), age_(next_age()) {}
    vertex(const vertex&) = delete;
    vertex& operator=(const vertex&) = delete;
    virtual ~vertex() = default;
    /// From the cache of tensors' memory: the next step of a loop finds there what this one leaves.
    static void* operator new(std::size_t bytes) { return heap::cache_allocate(bytes); }
    static void operator delete(void* memory, std::size_t bytes) noexcept { heap::cache_release(memory, bytes); }
    /// Sends the cotangents of its outputs to its inputs.
    virtual void pull(backward_pass& pass) = 0;
    /// The same with cotangents that are recorded in their turn; variables alone can.
    virtual RICCI_ENGINE void pull_recorded(backward_pass&);
    virtual bool is_variable() const { return false; }
    /// Where an output that is a view of a value of its own type lies there (a view_spec), and in `viewed` that value (a
    /// graph_value), so that cotangents can go there at once; null for all others.
    virtual const void* window(backward_pass&, void*& /*viewed*/) { return nullptr; }
    /// Computes outputs whose value was put off.
    virtual void compute() {}
    /// Drops cotangents that a backward pass did not come to pull, because it threw.
    virtual void forget() {}
    /// Lets go of the inputs, after the last backward pass. An output that someone holds and whose value was put off is
    /// computed first, or, unless `completes`, keeps the inputs.
    virtual void free(bool /*completes*/) {}

    void retain() { add_reference(references_); }
    void release();
    /// Whether someone else holds it than the backward pass that is at it.
    bool is_held() const { return references_.load(std::memory_order_acquire) > 1; }
    /// Fetches it into the cache: a long graph has left it by the time that the way back arrives.
    void prefetch() const {
        for (int line = 0; line < 6; ++line) __builtin_prefetch(reinterpret_cast<const char*>(this) + 64 * line);
    }
    level_t level() const { return level_; }
    level_t inner_level() const { return inner_level_; }
    std::uint64_t age() const { return age_; }

    spinlock pulling;  // of an argument of vjp: threads that pull cotangents back take turns

   protected:
    spinlock computing;  // threads that read one graph compute a value that was put off once
    bool freed = false;

    void check_not_freed() const {
        if (freed) refuse_freed();
    }

   private:
    [[noreturn]] static void refuse_freed();
    static std::uint64_t next_age();
    /// Vertices die one after the other, not one inside the other: a long chain must not exhaust the stack.
    static void die(vertex* v);

    std::atomic<int> references_{0};
    level_t level_, inner_level_;
    std::uint64_t age_;
    vertex* next_ = nullptr;  // of those that die
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

/// Whether backward passes of this thread look for NaN: what autograd::detect_anomaly turns on.
inline bool& checking_gradients() {
    static thread_local bool on = false;
    return on;
}

/// Vertices that received a cotangent, latest first: an order in which every cotangent is complete before it is pulled back.
class backward_pass {
   public:
    bool recording = false;     // cotangents are themselves recorded (create_graph)
    bool accumulating = false;  // variables add what arrives to their gradients (backward)
    bool freeing = false;       // vertices let go of their inputs once they are done (retain_graph = false)
    bool consuming =
        false;  // the same of a graph that nobody else will run through: what is done goes while it is in the cache
    const bool checking = checking_gradients();
    bool leaf_values = true;  // of leaves' adjoints that are duals; otherwise the tangents are all that is asked for

    backward_pass() = default;
    backward_pass(const backward_pass&) = delete;
    backward_pass& operator=(const backward_pass&) = delete;
    /// What is still waiting was left by an exception: the graph is good for the next pass.
    ~backward_pass();
    void push(vertex* v);
    void run();

   private:
    /// With its age beside it: ordering them does not fetch vertices that are long out of the cache.
    struct waiting {
        std::uint64_t age = 0;
        vertex* v = nullptr;
        friend bool operator<(const waiting& a, const waiting& b) { return a.age < b.age; }
    };
    bool done() const { return !latest_.v && waiting_.empty(); }
    vertex_ref next();
    waiting latest_;  // most often what comes next is what was pushed last: it need not go through the queue
    std::priority_queue<waiting, std::vector<waiting, cached_memory<waiting>>>
        waiting_;  // each retained; the latest on top
};

#if RICCI_ENGINE_BODIES
RICCI_ENGINE void vertex::pull_recorded(backward_pass&) {
    detail::raise<gradient_error>(
        {"[autograd::grad] create_graph needs variables: inside grad or vjp, nest the transforms instead"});
}
RICCI_NOINLINE RICCI_ENGINE void vertex::release() {
    if (drop_reference(references_)) die(this);
}
RICCI_ENGINE void vertex::refuse_freed() {
    detail::raise<gradient_error>(
        {"[backward] this part of the graph was freed by a backward pass with retain_graph = "
         "false: leave it true for all but the last"});
}
RICCI_ENGINE std::uint64_t vertex::next_age() {
    static std::atomic<std::uint64_t> age{0};
    add_reference(age);
    return age.load(std::memory_order_relaxed);
}
RICCI_NOINLINE RICCI_ENGINE void vertex::die(vertex* v) {
    static thread_local vertex** dying = nullptr;
    if (dying) {
        v->next_ = std::exchange(*dying, v);
        return;
    }
    vertex* list = nullptr;
    dying = &list;
    while (v) {
        delete v;
        if ((v = list)) list = v->next_;
    }
    dying = nullptr;
}
RICCI_ENGINE backward_pass::~backward_pass() {
    while (!done()) next().get()->forget();
}
RICCI_ENGINE void backward_pass::push(vertex* v) {
    if (v->queued_) return;
    const waiting w{v->age(), v};
    const bool later = !latest_.v || latest_ < w;
    if (latest_.v) {
        try {
            waiting_.push(later ? latest_ : w);
        } catch (...) {  // no memory: nobody would come for its cotangent, which the next pass would add to
            v->forget();
            throw;
        }
    }
    if (later) latest_ = w;
    v->queued_ = true;
    v->retain();
}
RICCI_ENGINE void backward_pass::run() {
    const recording_scope records(true);  // a no_grad around backward is not about what backward itself records
    while (!done()) {
        const vertex_ref v = next();
        try {
            if (recording) v.get()->pull_recorded(*this);
            else v.get()->pull(*this);
        } catch (...) {
            v.get()->forget();
            throw;
        }
        if (freeing || consuming) v.get()->free(freeing);
    }
}
RICCI_ENGINE vertex_ref backward_pass::next() {
    waiting w = std::exchange(latest_, waiting{});
    if (!w.v || (!waiting_.empty() && w < waiting_.top())) {
        latest_ = std::exchange(w, waiting_.top());
        waiting_.pop();
    }
    w.v->queued_ = false;
    return vertex_ref::adopt(w.v);
}
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci::detail
