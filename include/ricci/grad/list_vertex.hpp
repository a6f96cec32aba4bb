// The vertex of an op that takes a list of arrays.
#pragma once
#include "op_vertex.hpp"

namespace ricci::detail {

/// The application of a linear op to a list of recorded arrays.
template <class Op, class W, class A>
class list_vertex final : public vertex {
    using result =
        decltype(call_list(std::declval<const Op&>(), std::declval<const std::vector<typename A::inner_type>&>()));

   public:
    graph_value<result, typename W::tag> output;

    list_vertex(const Op& op, level_t level, const std::vector<A>& list, const result& y)
        : vertex(origin(level, list)), op_(op), inputs_(list) {
        output.owner = this;
        output.extents = y.shape();
        output.set(y);
    }
    void forget() override { output.forget(); }
    void free(bool /*completes*/) override {
        inputs_.clear();
        freed = true;
    }
    void pull(backward_pass& pass) override {
        check_not_freed();
        const auto bar = output.take(pass);
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            deliver_one<W>(pass, *inputs_[i].output(), call1(op_.part(i), *bar));
    }
    void pull_recorded(backward_pass& pass) override {
        if constexpr (W::tag::is_variable) {
            check_not_freed();
            const auto bar = output.take_recorded();
            for (std::size_t i = 0; i < inputs_.size(); ++i)
                deliver_recorded(pass, inputs_[i], call1(op_.part(i), *bar));
        } else {
            vertex::pull_recorded(pass);
        }
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
