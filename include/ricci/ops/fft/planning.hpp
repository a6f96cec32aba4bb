// How FFTW plans, where it transforms (RICCI_USE_FFTW, CMake: ricci::fftw), and what it has learnt.
#pragma once
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "../../cpu/fft/fftw.hpp"

namespace ricci {
namespace detail {

template <class Library>
constexpr void want_fftw() {
    static_assert(Library::is_fftw, "ricci: planning needs FFTW: define RICCI_USE_FFTW (CMake: link ricci::fftw)");
}

}  // namespace detail

namespace fft {

/// How FFTW chooses a plan: by what it knows (estimate), or by trying, which takes from milliseconds to seconds for
/// each new kind of transform (measure).
enum class effort { estimate, measure };
inline constexpr effort estimate = effort::estimate, measure = effort::measure;

/// From now on plans are chosen so, on all threads; by default estimated. Plans that exist stay in use for the effort
/// they were made with.
template <class Library = detail::fft_planner>
void set_planning(effort e) {
    detail::want_fftw<Library>();
    if constexpr (Library::is_fftw) Library::measures().store(e == measure, std::memory_order_relaxed);
}
/// What FFTW has learnt by measuring transforms of T, as text.
template <class T, class Library = detail::fft_planner>
std::string export_wisdom() {
    detail::want_fftw<Library>();
    if constexpr (Library::is_fftw) {
        const typename Library::lock alone(Library::planner());
        char* const text = Library::template api<T>::wisdom();
        if (!text) throw std::bad_alloc();
        const std::string copy = text;
        std::free(text);
        return copy;
    } else {
        return {};
    }
}
/// Adds what export_wisdom gave earlier, on a machine like this one. Throws value_error when the text is not FFTW's.
template <class T, class Library = detail::fft_planner>
void import_wisdom(const std::string& text) {
    detail::want_fftw<Library>();
    if constexpr (Library::is_fftw) {
        const typename Library::lock alone(Library::planner());
        if (!Library::template api<T>::learn(text.c_str()))
            detail::raise<value_error>({"[import_wisdom] the text is not wisdom of this FFTW for ", dtype_name<T>()});
    }
}

}  // namespace fft
}  // namespace ricci
