// The exceptions that the library throws: all derive from ricci::error, all are thrown before anything is written.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

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
/// A matrix that a decomposition cannot do: singular, not positive definite, with elements that are not finite; an
/// iteration that does not converge.
struct linalg_error : error {
    using error::error;
};
/// A search, a fit or an integration that does not get where it was to go.
struct convergence_error : error {
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
class text_writer;

/// A piece of an error's text: words, a number, a shape, or several shapes, of which those of rank -1 are left out.
class text_part {
   public:
    text_part(const char* words) : words_(words) {}
    template <class I>
        requires(std::is_integral_v<I>)
    text_part(I number)
        : number_(static_cast<long long>(number)),
          kind_(std::is_unsigned_v<I> && sizeof(I) == sizeof(long long) ? unsigned_kind : number_kind) {}
    template <class F>
        requires(std::is_floating_point_v<F>)
    text_part(F number) : real_(static_cast<double>(number)), kind_(real_kind) {}
    text_part(extents_ref s) : shape_(s), kind_(shape_kind) {}
    template <int R>
    text_part(const shape<R>& s) : text_part(extents_ref{s.extent, R}) {}
    text_part(const extents_ref* shapes, int count) : list_{shapes, count}, kind_(list_kind) {}

    [[gnu::cold]] void write(text_writer& out) const;

   private:
    struct list_of_shapes {
        const extents_ref* shapes;
        int count;
    };
    union {
        const char* words_;
        long long number_;
        double real_;
        extents_ref shape_;
        list_of_shapes list_;
    };
    enum : unsigned char {
        words_kind,
        number_kind,
        unsigned_kind,
        real_kind,
        shape_kind,
        list_kind
    } kind_ = words_kind;
};

/// The texts of the parts, one behind the other.
[[gnu::cold]] std::string joined_text(std::initializer_list<text_part> parts);
/// "(2, 3)", "(3,)" and "()", as NumPy prints shapes.
inline std::string shape_text(extents_ref s) { return joined_text({s}); }

/// Throws an Error whose text is made of the parts. The text is put together here, not where errors are found.
template <class Error>
[[noreturn, gnu::cold]] RICCI_NOINLINE void raise(std::initializer_list<text_part> parts) {
    throw Error(joined_text(parts));
}
/// Throws the exception that is being handled again, under the name of what the user called: in the place of "[the
/// function beneath]", or in front.
[[noreturn, gnu::cold]] void raise_renamed(const char* who);
/// What f gives, for functions that others notice the mistakes of.
template <class F>
auto as_called(const char* who, const F& f) {
    try {
        return f();
    } catch (const error&) {
        raise_renamed(who);
    }
}
#if defined(RICCI_COMPILED_TEMPLATE)
RICCI_COMPILED_TEMPLATE void raise<shape_error>(std::initializer_list<text_part>);
RICCI_COMPILED_TEMPLATE void raise<index_error>(std::initializer_list<text_part>);
RICCI_COMPILED_TEMPLATE void raise<value_error>(std::initializer_list<text_part>);
RICCI_COMPILED_TEMPLATE void raise<linalg_error>(std::initializer_list<text_part>);
RICCI_COMPILED_TEMPLATE void raise<gradient_error>(std::initializer_list<text_part>);
#endif

#if RICCI_ENGINE_BODIES
/// Counts the characters of a text, or writes them: a string that grows would take each unit longer to compile.
class text_writer {
   public:
    explicit text_writer(char* to) : to_(to) {}  // null: only counts
    std::size_t size() const { return size_; }
    void put(char c) {
        if (to_) to_[size_] = c;
        ++size_;
    }
    void put(const char* words) {
        while (*words) put(*words++);
    }
    void put(long long number) {
        const auto bits = static_cast<unsigned long long>(number);
        if (number < 0) put('-');
        put(number < 0 ? 0 - bits : bits);
    }
    void put(unsigned long long rest) {
        char digit[20];
        int digits = 0;
        do digit[digits++] = static_cast<char>('0' + rest % 10);
        while (rest /= 10);
        while (digits > 0) put(digit[--digits]);
    }
    void put(double number) {  // by no more digits than tell it from others, but six
        char text[32];
        int digits = 6;
        do std::snprintf(text, sizeof(text), "%.*g", digits, number);
        while (digits++ < 17 && std::strtod(text, nullptr) != number);
        put(text);
    }
    void put(extents_ref s) {
        put('(');
        for (int i = 0; i < s.rank; ++i) {
            if (i) put(", ");
            put(static_cast<long long>(s.extent[i]));
        }
        put(s.rank == 1 ? ",)" : ")");
    }

   private:
    char* to_;
    std::size_t size_ = 0;
};
RICCI_ENGINE void text_part::write(text_writer& out) const {
    if (kind_ == words_kind) return out.put(words_);
    if (kind_ == number_kind) return out.put(number_);
    if (kind_ == unsigned_kind) return out.put(static_cast<unsigned long long>(number_));
    if (kind_ == real_kind) return out.put(real_);
    if (kind_ == shape_kind) return out.put(shape_);
    bool more = false;
    for (int i = 0; i < list_.count; ++i) {
        if (list_.shapes[i].rank < 0) continue;
        if (std::exchange(more, true)) out.put(" and ");
        out.put(list_.shapes[i]);
    }
}
RICCI_NOINLINE RICCI_ENGINE std::string joined_text(std::initializer_list<text_part> parts) {
    text_writer counted(nullptr);
    for (const text_part& part : parts) part.write(counted);
    std::string text(counted.size(), ' ');
    text_writer written(text.data());
    for (const text_part& part : parts) part.write(written);
    return text;
}
/// The text of an error, behind the name of the function that noticed it.
inline const char* unnamed_text(const error& e) {
    const char* text = e.what();
    if (*text != '[') return text;
    const char* at = text;
    while (*at && *at != ']') ++at;
    return at[0] && at[1] == ' ' ? at + 2 : text;
}
RICCI_NOINLINE RICCI_ENGINE void raise_renamed(const char* who) {
    try {
        throw;
    } catch (const shape_error& e) {
        raise<shape_error>({"[", who, "] ", unnamed_text(e)});
    } catch (const index_error& e) {
        raise<index_error>({"[", who, "] ", unnamed_text(e)});
    } catch (const value_error& e) {
        raise<value_error>({"[", who, "] ", unnamed_text(e)});
    } catch (const linalg_error& e) {
        raise<linalg_error>({"[", who, "] ", unnamed_text(e)});
    }
}
#endif  // RICCI_ENGINE_BODIES

}  // namespace detail
}  // namespace ricci
