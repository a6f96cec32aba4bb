// Guards that say how a thread records: no_grad, enable_grad, inference_mode, autograd::detect_anomaly.
#pragma once
#include "graph.hpp"

namespace ricci {

/// While it lives, nothing that this thread computes from variables is recorded: results are constants. Inside of a
/// function that grad or vjp differentiates, what is computed under it counts as constant, by transforms that begin
/// under it, too, which differentiate what they are given as ever. Writes to a variable, w -= e and w(...) = e, change
/// its value under it, as in PyTorch.
class [[nodiscard]] no_grad : detail::quiet_scope {
   public:
    no_grad() : quiet_scope(detail::transform_depth()) {}
};
/// While it lives, this thread records again, inside of a no_grad.
class [[nodiscard]] enable_grad : detail::quiet_scope {
   public:
    enable_grad() : quiet_scope(0) {}
};
/// For code that only evaluates; records nothing, as no_grad.
using inference_mode = no_grad;

/// Whether this thread records.
inline bool is_grad_enabled() { return detail::records(detail::transform_depth()); }

namespace autograd {

/// While it lives, backward passes that this thread runs throw gradient_error at the first op whose derivative has a
/// NaN, naming the op. Every cotangent is looked at: for debugging.
class [[nodiscard]] detect_anomaly {
   public:
    detect_anomaly() : before_(std::exchange(ricci::detail::checking_gradients(), true)) {}
    detect_anomaly(const detect_anomaly&) = delete;
    detect_anomaly& operator=(const detect_anomaly&) = delete;
    ~detect_anomaly() { ricci::detail::checking_gradients() = before_; }

   private:
    bool before_;
};

}  // namespace autograd
}  // namespace ricci
