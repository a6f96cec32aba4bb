// Arithmetic in place on parts of arrays: of tensors that index arrays select, and of values under transforms.
#pragma once

namespace ricci {

/// What becomes of values that go to the same position, and of the elements of a loss. Names are PyTorch's.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // g++ takes the name in its scope for that of ricci::none
enum class reduction { sum, prod, mean, amax, amin, none };
#pragma GCC diagnostic pop

namespace detail {

/// Arithmetic in place on what x(i...) is, while it has no name. Derived: `change(e, f)`, after which the place holds
/// f(part, e), and `join<How>(e)`, after which x's elements are joined with e as often as they are named.
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

    /// Adds to x as often as its elements are named: x(i).add(e), as of a plain array. (numpy.add.at.)
    template <class E>
    void add(const E& e) && {
        self().template join<reduction::sum>(e);
    }
    /// The same of what is multiplied by them, and of the greatest and the least. (numpy.maximum.at.)
    template <class E>
    void multiply(const E& e) && {
        self().template join<reduction::prod>(e);
    }
    template <class E>
    void maximum(const E& e) && {
        self().template join<reduction::amax>(e);
    }
    template <class E>
    void minimum(const E& e) && {
        self().template join<reduction::amin>(e);
    }

   private:
    Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace detail
}  // namespace ricci
