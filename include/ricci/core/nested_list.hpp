// What braces are in a tensor's constructor.
#pragma once
#include <initializer_list>

namespace ricci::detail {

/// Braces of numbers, as deep as the rank.
template <class T, int Depth>
struct nested_list {
    using type = T;
};
template <class T, int Depth>
    requires(Depth > 0)  // a negative rank has been refused
struct nested_list<T, Depth> {
    using type = std::initializer_list<typename nested_list<T, Depth - 1>::type>;
};

/// A type that no caller can name: keeps rank 0 from having a constructor from braces.
struct no_braces {
    no_braces() = delete;
};

/// Two numbers in braces, no fewer.
template <class T>
struct complex_parts {
    T real, imag;
    complex_parts(T re, T im) : real(re), imag(im) {}
};

}  // namespace ricci::detail
