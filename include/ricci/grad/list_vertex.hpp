// The vertex of an op that takes a list of arrays.
#pragma once
#include "op_vertex.hpp"

namespace ricci::detail {

/// The application of a linear op to a list of recorded arrays.
template <class Op, class W, class A>
class list_vertex final
    : public vertex_with<typename W::tag, std::integer_sequence<int, 0>,
                         decltype(call_list(std::declval<const Op&>(),
                                            std::declval<const std::vector<typename A::inner_type>&>()))> {
    using base = typename list_vertex::vertex_with;

   public:
    template <class Y>
    list_vertex(const Op& op, level_t level, const std::vector<A>& list, const Y& y)
        : base(origin(level, list)), op_(op), inputs_(list) {
        auto& output = get<0>(this->outputs);
        output.extents = y.shape();
        output.set(y);
    }
    void free(bool /*completes*/) override {
        inputs_.clear();
        this->freed = true;
    }
    vertex* input(std::uint64_t& k) const override {
        if constexpr (W::tag::is_variable) return k < inputs_.size() ? inputs_[k].owner() : nullptr;
        else return nullptr;
    }
    void pull(backward_pass& pass) override {
        this->check_not_freed();
        auto& output = get<0>(this->outputs);
        if constexpr (W::tag::is_variable) {
            if (pass.recording) {
                const auto bar = output.take_recorded();
                for (std::size_t i = 0; i < inputs_.size(); ++i)
                    deliver_recorded(pass, inputs_[i], call1(op_.part(i), *bar));
                return;
            }
        }
        const auto bar = output.take(pass);
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            deliver_one<W>(pass, *inputs_[i].output(), call1(op_.part(i), *bar));
    }

   private:
    static vertex_origin origin(level_t level, const std::vector<A>& list) {
        vertex_origin from{level};
        for (const A& a : list) from.follow(*a.owner());
        return from;
    }
    Op op_;
    std::vector<A> inputs_;
};

}  // namespace ricci::detail
