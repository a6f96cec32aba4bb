// What users ask of the gradient of a variable's value: hooks that see it, a place where it is kept.
#pragma once
#include <memory>
#include <optional>

#include "../core/tensor.hpp"

namespace ricci {

template <detail::array A, class Tag>
class recorded;

namespace detail {

/// A user's function that sees a gradient on its way, and may replace it.
template <class A, class Tag>
class gradient_hook {
   public:
    gradient_hook() = default;
    gradient_hook(const gradient_hook&) = delete;
    gradient_hook& operator=(const gradient_hook&) = delete;
    virtual ~gradient_hook() = default;
    virtual std::optional<A> call(const A& gradient) const = 0;
    virtual std::optional<recorded<A, Tag>> call(const recorded<A, Tag>& gradient) const = 0;
    std::uint64_t number = 0;
    std::shared_ptr<gradient_hook> next;
};

/// What is asked of a variable's gradient; most values have nothing of it.
template <class A, class Tag>
struct gradient_requests {
    bool retained = false;      // retain_grad
    std::optional<A> gradient;  // accumulated by backward
    bool wanted = false;        // by autograd::grad, which finds it here:
    std::optional<A> seen;
    std::optional<recorded<A, Tag>> recorded_seen;
    std::shared_ptr<gradient_hook<A, Tag>> hooks;  // shared with the pass that calls one, which may remove it
    std::uint64_t hooks_made = 0;

    template <class C>
    void run_hooks(std::optional<C>& bar) const {
        for (auto hook = hooks; hook; hook = hook->next)
            if (auto other = hook->call(*bar)) {
                if (!(other->shape() == bar->shape()))
                    detail::raise<shape_error>({"[register_hook] the hook made a gradient of shape ", other->shape(),
                                                " out of one of shape ", bar->shape()});
                bar = std::move(other);
            }
    }
};

/// Whether F's arguments have fixed types: it is no generic lambda.
template <class F>
concept fixed_callable = requires { &F::operator(); };

/// f's answer to a gradient of type C; none where f only looks.
template <class C, class F>
std::optional<C> hook_answer(const F& f, const C& gradient) {
    if constexpr (std::is_void_v<decltype(f(gradient))>) {
        f(gradient);
        return {};
    } else {
        return C(f(gradient));
    }
}

template <class A, class Tag, class F>
class typed_hook final : public gradient_hook<A, Tag> {
   public:
    explicit typed_hook(F f) : f_(std::move(f)) {}
    std::optional<A> call(const A& gradient) const override { return hook_answer(f_, gradient); }
    std::optional<recorded<A, Tag>> call(const recorded<A, Tag>& gradient) const override {
        if constexpr (std::is_void_v<decltype(f_(gradient.inner()))>) {
            f_(gradient.inner());
            return {};
        } else if constexpr (fixed_callable<F>) {
            detail::raise<gradient_error>(
                {"[register_hook] under create_graph a hook that replaces a gradient is given one that "
                 "is recorded: let it take any array (const auto&)"});
        } else {
            return hook_answer(f_, gradient);
        }
    }

   private:
    F f_;
};

}  // namespace detail
}  // namespace ricci
