// The tape: vertices that remember an op and its inputs, and pull cotangents back through it. What is not typed by an
// op (reference counts, ordering, the backward pass) is written once, here.
#pragma once
#include <algorithm>
#include <atomic>

#include "../core/spinlock.hpp"
#include "../expr/call.hpp"

namespace ricci::detail {

class backward_pass;

class vertex;

/// What a vertex takes from its inputs.
struct vertex_origin {
    level_t level = 0;          // of the transform that it belongs to
    level_t inner_level = 0;    // the highest of the transforms that the inputs' values belong to
    std::uint64_t newest = 0;   // the age of the newest input
    bool counts_apart = false;  // handles are counted by the thread that makes it, as those of storage are

    void follow(const vertex& input);
};

/// A node of the graph: the application of an op, or a variable.
class vertex {
   public:
    explicit vertex(const vertex_origin& from)
        : level_(from.level), inner_level_(from.inner_level), age_(next_age(from.newest)) {
        handles_.references.store(reference_word::complete, std::memory_order_relaxed);
        if (from.counts_apart) count_apart();
    }
    vertex(const vertex&) = delete;
    vertex& operator=(const vertex&) = delete;
    virtual ~vertex() = default;
    /// From the cache of tensors' memory: the next step of a loop finds there what this one leaves.
    static void* operator new(std::size_t bytes) { return heap::cache_allocate_of_series(bytes); }
    static void operator delete(void* memory, std::size_t bytes) noexcept { heap::cache_release(memory, bytes); }
    // Each op and each type of results has a vertex of its own, for which every virtual function is compiled: they are
    // few.

    /// Sends the cotangents of its outputs to its inputs; those that are recorded in their turn where the pass says so.
    virtual void pull(backward_pass& pass) = 0;
    bool is_variable() const { return variable; }
    /// Where an output that is a view of a value of its own type lies there (a view_spec), and in `viewed` that value
    /// (a graph_value), so that cotangents can go there at once; null for all others.
    const void* window(backward_pass& pass, void*& viewed) {
        return find_window ? find_window(*this, pass, viewed) : nullptr;
    }
    /// Of an output that is one element of a value: where that element's cotangent is to be added; null for all others.
    void* element(backward_pass& pass) { return find_element ? find_element(*this, pass) : nullptr; }
    /// Computes outputs whose value was put off; no others are asked. With Keep, so that a cotangent that comes later
    /// finds its work done.
    virtual RICCI_ENGINE void compute(bool keep = true);
    /// Has those who asked for the cotangents of its outputs see them; they go no further.
    virtual void show(backward_pass& /*pass*/) {}
    /// Drops cotangents that a backward pass did not come to pull, because it threw or nobody asked for them.
    virtual void forget() {}
    /// Of variables' graphs the vertex of the first input at place k or behind it, whose place k becomes; null behind
    /// the last.
    virtual vertex* input(std::uint64_t& /*k*/) const { return nullptr; }
    /// Lets go of the inputs, after the last backward pass. An output that someone holds and whose value was put off is
    /// computed first, or, unless `completes`, keeps the inputs.
    virtual void free(bool /*completes*/) {}

    RICCI_INLINE void retain() { add_handle(handles_, this_maker()); }
    RICCI_INLINE void release() {
        if (!drop_one_of_several(handles_, this_maker())) drop_or_die();
    }
    /// Whether someone else holds it than the backward pass that is at it.
    bool is_held() const { return count_handles(handles_) > 1; }
    /// Whether all who hold it but one, a name, are vertices of parts of its value that were copied.
    bool is_held_by_name() const {
        return count_handles(handles_) == 1 + copied_parts_.load(std::memory_order_relaxed);
    }
    void add_copied_part() { add_reference(copied_parts_); }
    void drop_copied_part() { add_reference(copied_parts_, ~std::uint32_t(0)); }
    bool counts_apart() const { return handles_.release != nullptr; }
    /// Fetches it into the cache: a long graph has left it by the time that the way back arrives.
    void prefetch() const {
        for (int line = 0; line < lines; ++line) __builtin_prefetch(reinterpret_cast<const char*>(this) + 64 * line);
    }
    /// The same of what `pull` reads of the vertices that its inputs belong to; with Values, once these are there, of
    /// the inputs' elements.
    virtual void prefetch_inputs(bool /*values*/) const {}
    /// What a pass that is asked for some inputs alone knows of a vertex (grad/ways.hpp).
    enum marks : unsigned char { seen = 1, asked = 2, leads = 4 };
    void mark(std::uint64_t way, unsigned what) {
        marks_ = static_cast<unsigned char>((way == way_ ? marks_ : 0) | what);
        way_ = way;
    }
    bool has_mark(std::uint64_t way, unsigned any_of) const { return way == way_ && (marks_ & any_of) != 0; }
    bool is_freed() const { return freed; }

    level_t level() const { return level_; }
    level_t inner_level() const { return inner_level_; }
    std::uint64_t age() const { return age_; }

    spinlock pulling;  // of an argument of vjp: threads that pull cotangents back take turns

   protected:
    spinlock computing;  // threads that read one graph compute a value that was put off once
    bool freed = false;
    bool variable = false;
    unsigned char lines = 6;  // of the cache
    bool copies_part = false;
    // Of views alone, which set them.
    const void* (*find_window)(vertex&, backward_pass&, void*& viewed) = nullptr;
    void* (*find_element)(vertex&, backward_pass&) = nullptr;

    void check_not_freed() const {
        if (freed) refuse_freed();
    }
    [[noreturn]] static void refuse_stale_value();

   private:
    [[noreturn]] static void refuse_freed();
    /// Ages grow along the graph, and with time on each thread.
    static std::uint64_t next_age(std::uint64_t newest) {
        static constinit thread_local std::uint64_t last = 0;
        return last = (last > newest ? last : newest) + 1;
    }
    /// A graph that is used up where it is made hardly ever leaves its thread. Of others whatever a thread drops must
    /// go at once.
    void count_apart() {
        maker* const me = heap::local_cache.self;
        if (me == &nobody) return;
        handles_.made_by.store(me, std::memory_order_relaxed);
        handles_.references.store(0, std::memory_order_relaxed);
        handles_.data = this;
        handles_.release = die_late;
    }
    void drop_or_die();
    /// Of a block that another thread has returned.
    static void die_late(storage_block& handles);
    /// Vertices die one after the other, not one inside the other: a long chain must not exhaust the stack.
    static void die(vertex* v);

    storage_block handles_;  // its counts alone
    level_t level_, inner_level_;
    std::uint64_t age_;
    vertex* next_ = nullptr;  // of those that die
    bool queued_ = false;
    unsigned char marks_ = 0;
    std::uint64_t way_ = 0;                       // that the marks belong to
    atomic_word<std::uint32_t> copied_parts_{0};  // among those who hold it
    friend class backward_pass;
};

inline void vertex_origin::follow(const vertex& input) {
    inner_level = inner_level > input.inner_level() ? inner_level : input.inner_level();
    newest = newest > input.age() ? newest : input.age();
    counts_apart = counts_apart || input.counts_apart();
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

/// A vertex that waits to be pulled back, with its age beside it: ordering them does not fetch vertices that are long
/// out of the cache.
struct waiting_vertex {
    std::uint64_t age;
    vertex* v;
    friend bool operator<(const waiting_vertex& a, const waiting_vertex& b) { return a.age < b.age; }
};
/// A list of these, which comes and goes with every backward pass, in memory from the cache of tensors'. A
/// std::vector's functions would be compiled in every unit.
class waiting_list {
   public:
    waiting_list() = default;
    waiting_list(const waiting_list&) = delete;
    waiting_list& operator=(const waiting_list&) = delete;
    ~waiting_list() {
        if (begin_) release();
    }
    waiting_vertex* begin() const { return begin_; }
    waiting_vertex* end() const { return begin_ + size_; }
    waiting_vertex& back() const { return begin_[size_ - 1]; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    void push_back(const waiting_vertex& entry) {
        if (size_ == room_) grow();
        begin_[size_++] = entry;
    }
    void pop_back() { --size_; }
    void clear() { size_ = 0; }

   private:
    void grow();
    void release() noexcept;

    waiting_vertex* begin_ = nullptr;
    std::size_t size_ = 0, room_ = 0;
};

/// Vertices that received a cotangent, latest first: an order in which every cotangent is complete before it is pulled
/// back.
class backward_pass {
   public:
    bool recording = false;     // cotangents are themselves recorded (create_graph)
    bool accumulating = false;  // variables add what arrives to their gradients (backward)
    bool freeing = false;       // vertices let go of their inputs once they are done (without retain_graph)
    bool consuming =
        false;  // the same of a graph that nobody else will run through: what is done goes while it is in the cache
    std::uint64_t way = 0;  // of a pass that is asked for some inputs alone: the marks of what leads there
    const bool checking = checking_gradients();
    bool leaf_values = true;  // of leaves' adjoints that are duals; otherwise the tangents are all that is asked for

    backward_pass() = default;
    backward_pass(const backward_pass&) = delete;
    backward_pass& operator=(const backward_pass&) = delete;
    /// What is still waiting was left by an exception: the graph is good for the next pass.
    ~backward_pass() {
        if (!done()) forget_all();
    }
    void push(vertex* v) {
        if (v->queued_) return;
        if (latest_) return push_behind(v);
        latest_ = v;
        enqueue(v);
    }
    void run();
    /// Whether a vertex was made so shortly before the ones that were pulled that the cache has it.
    bool is_recent(const vertex& v) const { return newest_ - v.age() <= recent; }

   private:
    static constexpr std::uint64_t recent = 256;
    bool done() const { return !latest_ && !last(); }
    /// The one that is next if none is pushed before; null where none waits.
    const vertex* upcoming() const {
        const waiting_vertex* const other = last();
        return other && !(latest_ && other->age < latest_->age()) ? other->v : latest_;
    }
    /// The youngest of those that wait; null where none does.
    const waiting_vertex* last() const {
        const waiting_vertex* y = in_order_.empty() ? nullptr : &in_order_.back();
        if (first_ < backward_.size() && !(y && backward_.begin()[first_] < *y)) y = backward_.begin() + first_;
        if (!out_of_order_.empty() && !(y && *out_of_order_.begin() < *y)) y = out_of_order_.begin();
        return y;
    }
    /// Puts an entry among those that are in order, unless more than a few of them are younger.
    bool put_in_order(const waiting_vertex& entry);
    void put(const waiting_vertex& entry);
    void remove(const waiting_vertex* last);
    void forget_all();
    void push_behind(vertex* v);
    static void enqueue(vertex* v) {
        v->queued_ = true;
        v->retain();
    }
    vertex_ref next();
    std::uint64_t newest_ = 0;  // the age of the youngest one that was pulled
    vertex* latest_ = nullptr;  // most often what comes next is what was pushed last: it need not go through the queue
    // Each retained. Most come in the order of their ages, or in the reverse order: a heap would take all of those
    // through all of its levels.
    waiting_list in_order_;  // the youngest at the end
    waiting_list backward_;  // the youngest at first_
    std::size_t first_ = 0;
    waiting_list out_of_order_;  // a heap: the youngest in front
};

#if RICCI_ENGINE_BODIES
RICCI_ENGINE void vertex::compute(bool) { refuse_superseded(); }
RICCI_NOINLINE RICCI_ENGINE void vertex::drop_or_die() {
    if (drop_last_or_shared(handles_, this_maker())) die(this);
}
RICCI_ENGINE void vertex::die_late(storage_block& handles) { die(static_cast<vertex*>(handles.data)); }
RICCI_ENGINE void vertex::refuse_freed() {
    detail::raise<gradient_error>(
        {"[backward] trying to backward through the graph a second time: the first pass has freed it. Pass "
         "{.retain_graph = true} to all but the last"});
}
RICCI_ENGINE void vertex::refuse_stale_value() {
    detail::raise<gradient_error>(
        {"[variable] this value was put off until someone asks, and what it is computed from was changed in place "
         "since: "
         "read it before, by item() or value()"});
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
RICCI_COLD RICCI_ENGINE void waiting_list::grow() {
    const std::size_t room = room_ > 0 ? 2 * room_ : 8;
    auto* const entries = static_cast<waiting_vertex*>(heap::cache_allocate(room * sizeof(waiting_vertex)));
    std::copy_n(begin_, size_, entries);
    if (begin_) release();
    begin_ = entries;
    room_ = room;
}
RICCI_NOINLINE RICCI_ENGINE void waiting_list::release() noexcept {
    heap::cache_release(begin_, room_ * sizeof(waiting_vertex));
}
RICCI_COLD RICCI_ENGINE void backward_pass::forget_all() {
    while (!done()) next().get()->forget();
}
RICCI_NOINLINE RICCI_ENGINE void backward_pass::push_behind(vertex* v) {
    const bool later = latest_->age() < v->age();
    vertex* const earlier = later ? latest_ : v;
    const waiting_vertex entry{earlier->age(), earlier};
    try {
        put(entry);
    } catch (...) {  // no memory: nobody would come for its cotangent, which the next pass would add to
        v->forget();
        throw;
    }
    if (later) latest_ = v;
    enqueue(v);
}
RICCI_ENGINE bool backward_pass::put_in_order(const waiting_vertex& entry) {
    constexpr std::size_t few = 8;
    const std::size_t n = in_order_.size();
    std::size_t at = n;
    while (at > 0 && at + few > n && entry < in_order_.begin()[at - 1]) --at;
    if (at > 0 && at + few <= n) return false;
    in_order_.push_back(entry);
    waiting_vertex* const entries = in_order_.begin();
    for (std::size_t i = n; i > at; --i) entries[i] = entries[i - 1];
    entries[at] = entry;
    return true;
}
RICCI_ENGINE void backward_pass::put(const waiting_vertex& entry) {
    if (put_in_order(entry)) return;
    if (backward_.empty() || entry < backward_.back()) return backward_.push_back(entry);
    out_of_order_.push_back(entry);
    std::push_heap(out_of_order_.begin(), out_of_order_.end());
}
RICCI_NOINLINE RICCI_ENGINE void backward_pass::remove(const waiting_vertex* last) {
    if (!in_order_.empty() && last == &in_order_.back()) return in_order_.pop_back();
    if (backward_.empty() || last != backward_.begin() + first_) {
        std::pop_heap(out_of_order_.begin(), out_of_order_.end());
        return out_of_order_.pop_back();
    }
    if (++first_ < backward_.size()) return;
    backward_.clear();
    first_ = 0;
}
RICCI_ENGINE void backward_pass::run() {
    while (!done()) {
        const vertex_ref v = next();
        newest_ = std::max(newest_, v.get()->age());
        const vertex* const behind = is_recent(*v.get()) ? nullptr : upcoming();
        if (behind) behind->prefetch_inputs(false);
        const bool goes_on = way == 0 || v.get()->has_mark(way, vertex::leads) || !v.get()->has_mark(way, vertex::seen);
        try {
            if (goes_on) v.get()->pull(*this);
            else if (v.get()->has_mark(way, vertex::asked)) v.get()->show(*this);
        } catch (...) {
            v.get()->forget();
            throw;
        }
        if (!goes_on) {
            v.get()->forget();
            continue;
        }
        if (behind) behind->prefetch_inputs(true);
        if (freeing || consuming) v.get()->free(freeing);
    }
}
RICCI_NOINLINE RICCI_ENGINE vertex_ref backward_pass::next() {
    vertex* v = std::exchange(latest_, nullptr);
    if (const waiting_vertex* const other = last(); other && (!v || v->age() < other->age)) {
        latest_ = std::exchange(v, other->v);
        remove(other);
    }
    v->queued_ = false;
    return vertex_ref::adopt(v);
}
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci::detail
