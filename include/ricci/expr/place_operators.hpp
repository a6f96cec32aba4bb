// Arithmetic in place on parts of arrays: of tensors that index arrays select, and of values under transforms.
#pragma once

namespace ricci::detail {

/// Arithmetic in place on what x(i...) is, while it has no name. Derived: `change(e, f)`, after which the place holds f(part, e).
template <class Derived>
class place_operators {
   public:
    template <class E>
    void operator+=(const E& e) && {
        self().change(e, [](const auto& a, const auto& b) { return a + b; });
    }
    template <class E>
    void operator-=(const E& e) && {
        self().change(e, [](const auto& a, const auto& b) { return a - b; });
    }
    template <class E>
    void operator*=(const E& e) && {
        self().change(e, [](const auto& a, const auto& b) { return a * b; });
    }
    template <class E>
    void operator/=(const E& e) && {
        self().change(e, [](const auto& a, const auto& b) { return a / b; });
    }
    template <class E>
    void operator%=(const E& e) && {
        self().change(e, [](const auto& a, const auto& b) { return a % b; });
    }
    template <class E>
    void operator&=(const E& e) && {
        self().change(e, [](const auto& a, const auto& b) { return a & b; });
    }
    template <class E>
    void operator|=(const E& e) && {
        self().change(e, [](const auto& a, const auto& b) { return a | b; });
    }
    template <class E>
    void operator^=(const E& e) && {
        self().change(e, [](const auto& a, const auto& b) { return a ^ b; });
    }
    template <class E>
    void operator<<=(const E& e) && {
        self().change(e, [](const auto& a, const auto& b) { return a << b; });
    }
    template <class E>
    void operator>>=(const E& e) && {
        self().change(e, [](const auto& a, const auto& b) { return a >> b; });
    }

   private:
    Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace ricci::detail
