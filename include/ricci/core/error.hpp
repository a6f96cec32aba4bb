// The exceptions that the library throws: all derive from ricci::error, all are thrown before anything is written.
#pragma once
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "config.hpp"

namespace ricci {

/// Base of every exception of the library.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// Shapes that do not fit: broadcasting, reshape, matmul, concatenation.
struct shape_error : error {
    using error::error;
};
/// An index or an axis out of range.
struct index_error : error {
    using error::error;
};
/// A value that an operation does not accept.
struct value_error : error {
    using error::error;
};
/// A matrix that a decomposition cannot do: singular, not positive definite, with elements that are not finite; an iteration
/// that does not converge.
struct linalg_error : error {
    using error::error;
};
/// A file that cannot be read, written or understood.
struct io_error : error {
    using error::error;
};
/// A device that failed or is absent.
struct device_error : error {
    using error::error;
};
/// A derivative that cannot be had: an outer transform's value captured by an inner one, a saved value overwritten.
struct gradient_error : error {
    using error::error;
};

template <int R>
struct shape;

namespace detail {

/// Extents (or strides) of any rank.
struct extents_ref {
    const index_t* extent;
    int rank;
};
/// "(2, 3)", "(3,)" and "()", as NumPy prints shapes.
[[gnu::cold]] RICCI_NOINLINE inline std::string shape_text(extents_ref s) {
    std::string text = "(";
    for (int i = 0; i < s.rank; ++i) {
        if (i) text += ", ";
        text += std::to_string(s.extent[i]);
    }
    return text + (s.rank == 1 ? ",)" : ")");
}

/// A piece of an error's text: words, a number, or a shape.
class text_part {
   public:
    text_part(const char* words) : words_(words) {}
    template <class I>
        requires(std::is_integral_v<I>)
    text_part(I number) : number_(static_cast<long long>(number)), kind_(number_kind) {}
    text_part(extents_ref s) : shape_(s), kind_(shape_kind) {}
    template <int R>
    text_part(const shape<R>& s) : text_part(extents_ref{s.extent, R}) {}

    [[gnu::cold]] std::string text() const {
        return kind_ == words_kind    ? std::string(words_)
               : kind_ == number_kind ? std::to_string(number_)
                                      : shape_text(shape_);
    }

   private:
    union {
        const char* words_;
        long long number_;
        extents_ref shape_;
    };
    enum : unsigned char { words_kind, number_kind, shape_kind } kind_ = words_kind;
};

/// Throws an Error whose text is made of the parts. The text is put together here, not where errors are found.
template <class Error>
[[noreturn, gnu::cold]] RICCI_NOINLINE void raise(std::initializer_list<text_part> parts) {
    std::string text;
    for (const text_part& part : parts) text += part.text();
    throw Error(text);
}

}  // namespace detail
}  // namespace ricci
