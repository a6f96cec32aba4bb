// Peaks of a line: find_peaks, peak_prominences, peak_widths.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "../fft/options.hpp"
#include "../sets.hpp"

namespace ricci {
namespace detail {

/// What a peak's property must be at least, or {at least, at most}, ends included; `none` is no bound.
struct peak_interval {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    bool given = false;

    peak_interval() = default;
    peak_interval(double least) : low(least), given(true) {}
    template <expression E>  // {.height = 0.1 * max(x)}
        requires(E::rank == 0)
    peak_interval(const E& least) : peak_interval(static_cast<double>(least)) {}
    peak_interval(double least, double most) : low(least), high(most), given(true) {}
    peak_interval(double least, none_t) : low(least), given(true) {}
    peak_interval(none_t, double most) : high(most), given(true) {}
    bool has(double x) const { return low <= x && x <= high; }
};

/// How far a peak stands out, and the lowest places on both sides before the line rises higher.
struct peak_prominence {
    double height;
    index_t left, right;
};
/// The line at a part of that below a peak, and where it crosses it.
struct peak_width {
    double height, left, right;
};

/// A line of numbers and what is asked of its elements. A template, whose sort compilers see only where it is used.
template <class T>
struct peak_line {
    tensor<T, 1> line;
    const T* x;
    index_t n;

    template <class E>
    peak_line(const E& e, const char* who)
        : line(evaluate_as<T>(flat_values(e, who)).to(cpu).clone()), x(line.data()), n(line.size()) {
        static_assert(E::rank == 1, "ricci: peaks are those of a line: find_peaks takes an array of rank 1");
    }
    /// Within `window` elements, if that is given, the peak in their middle.
    peak_prominence prominence(index_t peak, const optional_length& window) const {
        const index_t reach = window.given ? window.value / 2 : n;
        const index_t first = std::max(peak - reach, index_t(0)), last = std::min(peak + reach, n - 1);
        const auto lowest = [&](index_t end, index_t step) {
            index_t at = peak;
            for (index_t i = peak; i != end + step && x[i] <= x[peak]; i += step)
                if (x[i] < x[at]) at = i;
            return at;
        };
        const index_t left = lowest(first, -1), right = lowest(last, 1);
        return {x[peak] - std::max(x[left], x[right]), left, right};
    }
    peak_width width(index_t peak, const peak_prominence& p, double part) const {
        const double height = x[peak] - p.height * part;
        const auto crossing = [&](index_t end, index_t step) {
            index_t i = peak;
            while (i != end && height < x[i]) i += step;
            const double at = static_cast<double>(i);
            return x[i] < height ? at - static_cast<double>(step) * (height - x[i]) / (x[i - step] - x[i]) : at;
        };
        return {height, crossing(p.left, -1), crossing(p.right, 1)};
    }
    /// The middles of the stretches of equal elements whose neighbours are lower on both sides, of as many elements as
    /// are asked for.
    std::vector<index_t> maxima(const peak_interval& plateau) const {
        std::vector<index_t> peaks(static_cast<std::size_t>(n > 2 ? n - 1 : 0));
        index_t count = 0;
        for (index_t i = 1; i < n - 1; ++i) {  // where it stops to rise: a branch would often be mispredicted
            peaks[count] = i;
            count += static_cast<index_t>(x[i - 1] < x[i]) & static_cast<index_t>(x[i + 1] <= x[i]);
        }
        index_t found = 0;
        for (index_t k = 0; k < count; ++k) {
            const index_t i = peaks[k];
            index_t next = i + 1;
            while (next < n - 1 && x[next] == x[i]) ++next;
            if (x[next] < x[i] && plateau.has(static_cast<double>(next - i))) peaks[found++] = (i + next - 1) / 2;
        }
        peaks.resize(static_cast<std::size_t>(found));
        return peaks;
    }
    /// The highest peaks first, each of which takes away those nearer than `distance`.
    void thin_out(std::vector<index_t>& peaks, double distance) const {
        const index_t count = static_cast<index_t>(peaks.size());
        const auto heights = tensor<T, 1>::uninitialized({count});
        for (index_t k = 0; k < count; ++k) heights.data()[k] = x[peaks[k]];
        const auto order = argsort(heights);
        const auto dropped = zeros<bool>(heights.shape());
        for (index_t i = count - 1; i >= 0; --i) {
            const index_t j = order.at(i);
            if (dropped.data()[j]) continue;
            const auto near = [&](index_t k) { return std::abs(static_cast<double>(peaks[k] - peaks[j])) < distance; };
            for (index_t k = j - 1; k >= 0 && near(k); --k) dropped.data()[k] = true;
            for (index_t k = j + 1; k < count && near(k); ++k) dropped.data()[k] = true;
        }
        keep(peaks, [&, k = index_t(0)](index_t) mutable { return !dropped.data()[k++]; });
    }
    template <class F>
    static void keep(std::vector<index_t>& peaks, F&& f) {
        std::size_t count = 0;
        for (const index_t p : peaks)
            if (f(p)) peaks[count++] = p;
        peaks.resize(count);
    }
};
/// The prominences of all maxima of a line, each side in one pass: what lies behind a peak that was passed and is no
/// higher is known by the lowest place that was found there.
class all_prominences {
   public:
    explicit all_prominences(const peak_line<double>& line)
        : x_(line.x), peaks_(line.maxima({})), left_(lowest_places(0, 1)), right_(lowest_places(line.n - 1, -1)) {}
    /// That of a maximum. Those asked for one after the other ascend.
    peak_prominence of(index_t peak) {
        while (peaks_[at_] < peak) ++at_;
        return {x_[peak] - std::max(x_[left_[at_]], x_[right_[at_]]), left_[at_], right_[at_]};
    }

   private:
    /// For each peak the lowest place, of equal ones the nearest, between it and what rises higher on the side of an
    /// end, from which `step` leads into the line.
    std::vector<index_t> lowest_places(index_t end, index_t step) const {
        const index_t count = static_cast<index_t>(peaks_.size());
        std::vector<index_t> lowest(peaks_.size()), higher;  // peaks behind, each lower than the one before it
        for (index_t n = 0, last = end; n < count; ++n) {
            const index_t k = step > 0 ? n : count - 1 - n, peak = peaks_[k];
            index_t at = peak;
            for (index_t i = peak; i != last && x_[i] <= x_[peak]; i -= step)
                if (x_[i - step] < x_[at]) at = i - step;
            for (; !higher.empty() && x_[peaks_[higher.back()]] <= x_[peak]; higher.pop_back())
                if (x_[lowest[higher.back()]] < x_[at]) at = lowest[higher.back()];
            lowest[k] = at;
            higher.push_back(k);
            last = peak;
        }
        return lowest;
    }

    const double* x_;
    std::vector<index_t> peaks_, left_, right_;
    std::size_t at_ = 0;
};
inline void check_window(const optional_length& window, const char* who) {
    if (window.given && window.value < 2) raise<value_error>({"[", who, "] wlen must be 2 or more: ", window.value});
}
inline void check_relative_height(double part, const char* who) {
    if (!(part >= 0)) raise<value_error>({"[", who, "] rel_height must not be negative"});
}
/// f(the line, each of the peaks) for what are positions in it.
template <class X, class P, class F>
void for_peaks(const X& x, const P& peaks, const char* who, const F& f) {
    static_assert(P::rank == 1 && std::is_integral_v<typename P::value_type>,
                  "ricci: peaks are positions, integers of rank 1, as find_peaks gives them");
    const peak_line<double> line(x, who);
    const auto positions = evaluate_as<std::int64_t>(flat_values(peaks, who)).to(cpu);
    for (index_t k = 0; k < positions.size(); ++k) {
        const index_t p = positions.at(k);
        if (p < 0 || p >= line.n)
            raise<index_error>({"[", who, "] a peak at ", p, " lies outside of a line of ", line.n, " elements"});
        f(line, p, k);
    }
}

}  // namespace detail

namespace signal {

/// What find_peaks asks of a peak, each a least value or {least, greatest}: its height; how far it rises above both
/// neighbours; how many elements, at least, lie between it and a higher one; its prominence; its width at `rel_height`
/// of that below the top, in elements; how many equal elements it is made of. `wlen` is peak_prominences'.
struct peak_options {
    detail::peak_interval height = {};
    detail::peak_interval threshold = {};
    double distance = 1;
    detail::peak_interval prominence = {};
    detail::peak_interval width = {};
    detail::peak_interval plateau_size = {};
    double rel_height = 0.5;
    detail::optional_length wlen = {};
};

/// The positions, ascending, of the elements of a line that are greater than both their neighbours, of equal ones the
/// middle, and that are as the options ask. Computed in double; NaN is no peak, nor next to one. Throws value_error for
/// a distance less than 1, and under vmap, where the number of peaks may differ. Without derivatives; the peaks'
/// heights are x(find_peaks(x)). (scipy.signal.find_peaks.)
template <expression X>
tensor<std::int64_t, 1> find_peaks(const X& x, const peak_options& o = {}) {
    const detail::peak_line<double> line(x, "find_peaks");
    if (!(o.distance >= 1)) detail::raise<value_error>({"[find_peaks] the distance must be 1 or more"});
    detail::check_window(o.wlen, "find_peaks");
    detail::check_relative_height(o.rel_height, "find_peaks");
    auto peaks = line.maxima(o.plateau_size);
    const double* const v = line.x;
    line.keep(peaks, [&](index_t p) {
        const double left = v[p] - v[p - 1], right = v[p] - v[p + 1];
        return o.height.has(v[p]) && (!o.threshold.given || (std::min(left, right) >= o.threshold.low &&
                                                             std::max(left, right) <= o.threshold.high));
    });
    if (o.distance > 1) line.thin_out(peaks, o.distance);
    if (o.prominence.given || o.width.given) {
        std::optional<detail::all_prominences> known;  // NaN would hide from a peak what lies behind it
        if (!o.wlen.given && std::none_of(v, v + line.n, [](double a) { return a != a; })) known.emplace(line);
        line.keep(peaks, [&](index_t p) {
            const auto prominence = known ? known->of(p) : line.prominence(p, o.wlen);
            if (!o.prominence.has(prominence.height)) return false;
            const auto width = line.width(p, prominence, o.rel_height);
            return o.width.has(width.right - width.left);
        });
    }
    const auto positions = tensor<std::int64_t, 1>::uninitialized({static_cast<index_t>(peaks.size())});
    std::copy(peaks.begin(), peaks.end(), positions.data());
    return positions;
}

/// prominences, left_bases and right_bases of peak_prominences, by name or as a tuple.
template <class Heights, class Places>
struct prominences_result {
    using ricci_named = void;
    Heights prominences;
    Places left_bases, right_bases;
    operator std::tuple<Heights&, Places&, Places&>() { return {prominences, left_bases, right_bases}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
    friend auto members(const prominences_result& p) { return std::tie(p.prominences, p.left_bases, p.right_bases); }
};
/// How far peaks stand out of the line: their heights above the higher one of the lowest places to the left and to the
/// right, before the line rises above the peak, or in `wlen` elements around it; and these places. Throws index_error
/// for peaks outside of the line, value_error for a wlen below 2. (scipy.signal.peak_prominences.)
template <expression X, expression P>
auto peak_prominences(const X& x, const P& peaks, detail::optional_length wlen = {}) {
    detail::check_window(wlen, "peak_prominences");
    const ricci::shape<1> count{peaks.size()};
    using heights = tensor<double, 1>;
    using places = tensor<std::int64_t, 1>;
    const prominences_result<heights, places> all{heights::uninitialized(count), places::uninitialized(count),
                                                  places::uninitialized(count)};
    detail::for_peaks(x, peaks, "peak_prominences",
                      [&](const detail::peak_line<double>& line, index_t peak, index_t k) {
                          const auto p = line.prominence(peak, wlen);
                          all.prominences.data()[k] = p.height;
                          all.left_bases.data()[k] = p.left;
                          all.right_bases.data()[k] = p.right;
                      });
    return all;
}

/// widths, width_heights, left_ips and right_ips of peak_widths, by name or as a tuple.
template <class Numbers>
struct widths_result {
    using ricci_named = void;
    Numbers widths, width_heights, left_ips, right_ips;
    operator std::tuple<Numbers&, Numbers&, Numbers&, Numbers&>() {
        return {widths, width_heights, left_ips, right_ips};
    }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
    friend auto members(const widths_result& w) { return std::tie(w.widths, w.width_heights, w.left_ips, w.right_ips); }
};
/// How wide peaks are, in elements, `rel_height` of their prominences below their tops; how high that is, and where the
/// line crosses that height, between the elements. Throws index_error for peaks outside of the line.
/// (scipy.signal.peak_widths.)
template <expression X, expression P>
auto peak_widths(const X& x, const P& peaks, double rel_height = 0.5, detail::optional_length wlen = {}) {
    detail::check_window(wlen, "peak_widths");
    detail::check_relative_height(rel_height, "peak_widths");
    const ricci::shape<1> count{peaks.size()};
    const auto numbers = [&] { return tensor<double, 1>::uninitialized(count); };
    const widths_result<tensor<double, 1>> all{numbers(), numbers(), numbers(), numbers()};
    detail::for_peaks(x, peaks, "peak_widths", [&](const detail::peak_line<double>& line, index_t peak, index_t k) {
        const auto w = line.width(peak, line.prominence(peak, wlen), rel_height);
        all.widths.data()[k] = w.right - w.left;
        all.width_heights.data()[k] = w.height;
        all.left_ips.data()[k] = w.left;
        all.right_ips.data()[k] = w.right;
    });
    return all;
}

}  // namespace signal
}  // namespace ricci
