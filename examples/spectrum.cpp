// The strongest periods of a series: spectrum FILE.csv|FILE.npy [PLOT.png]. The series is a file's only column, or its
// last. Prints periods, in samples, with the amplitudes and phases of their cosines, and draws the series and its
// spectrum.
#include <ricci/io.hpp>
#include <ricci/ricci.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

namespace rc = ricci;
using rc::index_t;

namespace {

constexpr double pi = 3.14159265358979323846;

/// The series in an array: all of one of rank 1, the last column of one of rank 2.
template <class X>
rc::tensor<double, 1> last_column(const X& x, const std::string& path) {
    if constexpr (X::rank > 0 && !rc::is_complex_v<typename X::value_type>) {
        const auto y = rc::evaluate(rc::astype<double>(x));
        if constexpr (X::rank == 1) return y;
        else if (x.shape(1) > 0) return y(rc::all, -1).clone();
    }
    throw rc::value_error(path + ": a series is an array of real numbers of rank 1 or 2");
}
rc::tensor<double, 1> read(const std::string& path) {
    if (path.ends_with(".npy"))
        return std::visit([&](const auto& x) { return last_column(x, path); }, rc::load_npy_any<2>(path));
    return rc::load_csv<double>(path)(rc::all, -1).clone();
}

/// Without the straight line that fits best.
rc::tensor<double, 1> without_trend(const rc::tensor<double, 1>& x) {
    const double n = static_cast<double>(x.size());
    const auto t = rc::evaluate(rc::arange<double>(n) - (n - 1) / 2);
    const double slope = rc::sum(t * x).item() / std::max(1e-300, rc::sum(t * t).item());
    return x - rc::mean(x) - slope * t;
}

struct peak {
    double frequency, amplitude, phase;
};

/// The spectrum of a windowed series, filled up with zeros, and its largest maxima: their tops lie on parabolas
/// through the logarithms of three neighbours.
struct spectrum {
    index_t points;
    rc::tensor<double, 1> amplitude;
    std::vector<peak> peaks;

    explicit spectrum(const rc::tensor<double, 1>& x) : points(rc::fft::next_fast_len(8 * x.size())) {
        const auto window = rc::signal::hann(x.size(), false);
        const double scale = 2 / rc::sum(window).item();
        const rc::tensor<std::complex<double>, 1> z = rc::fft::rfft(x * window, {.n = points}) * scale;
        amplitude = rc::abs(z);
        const double floor = 1e-9 * rc::max(amplitude).item();
        // a window of Hann is four frequencies of the series wide: what is nearer to 0 is no period
        for (index_t k = 2 * points / x.size(); k + 1 < amplitude.size(); ++k) {
            const double l = amplitude.at(k - 1), m = amplitude.at(k), r = amplitude.at(k + 1);
            if (!(m > l && m >= r && m > floor)) continue;
            const double a = std::log(l), b = std::log(m), c = std::log(r);
            const double off = (a - c) / (2 * (a - 2 * b + c));
            peaks.push_back({(static_cast<double>(k) + off) / static_cast<double>(points),
                             std::exp(b - (a - c) * off / 4), std::arg(z.at(k))});
        }
        std::sort(peaks.begin(), peaks.end(), [](const peak& a, const peak& b) { return a.amplitude > b.amplitude; });
    }
};

#if defined(RICCI_USE_PNG)
/// A white picture that curves are drawn on.
class canvas {
    rc::tensor<std::uint8_t, 3> pixels_;

   public:
    canvas(index_t height, index_t width) : pixels_(rc::full<std::uint8_t>({height, width, 3}, 255)) {}
    /// A curve in rows top ... bottom, from the smallest to the largest of its values.
    void curve(const rc::tensor<double, 1>& y, index_t top, index_t bottom, rc::tensor<std::uint8_t, 1> color) {
        const index_t width = pixels_.shape(1) - 20;
        const double low = rc::min(y).item(), high = rc::max(y).item(), range = high > low ? high - low : 1;
        index_t before = -1;
        for (index_t column = 0; column < width; ++column) {
            // of the values that fall into a column, the largest
            const index_t first = column * y.size() / width, end = std::max(first + 1, (column + 1) * y.size() / width);
            const double value = rc::max(y(rc::slice(first, std::min(end, y.size())))).item();
            const index_t row =
                bottom - static_cast<index_t>((value - low) / range * static_cast<double>(bottom - top));
            if (before < 0) before = row;
            pixels_(rc::slice(std::min(row, before), std::max(row, before) + 2), column + 10, rc::all) = color;
            before = row;
        }
    }
    void rule(index_t row) { pixels_(row, rc::slice(10, -10), rc::all) = std::uint8_t(200); }
    void save(const std::string& path) const { rc::save_png(path, pixels_); }
};

void draw(const rc::tensor<double, 1>& x, const spectrum& s, const std::string& path) {
    canvas picture(620, 1000);
    picture.rule(300);
    picture.rule(600);
    picture.curve(x, 10, 290, {31, 119, 180});
    picture.curve(s.amplitude, 320, 599, {214, 39, 40});
    picture.save(path);
    std::printf("the series (above) and its spectrum (below) are in %s\n", path.c_str());
}
#endif

}  // namespace

int main(int count, char** arguments) try {
    if (count < 2) {
        std::fprintf(stderr, "usage: spectrum FILE.csv|FILE.npy [PLOT.png]\n");
        return 2;
    }
    const auto series = read(arguments[1]);
    if (series.size() < 8) {
        std::fprintf(stderr, "%s: %td values are too few for a spectrum\n", arguments[1], series.size());
        return 2;
    }
    if (!rc::all(rc::isfinite(series)).item()) {
        std::fprintf(stderr, "%s: not all values are finite\n", arguments[1]);
        return 2;
    }
    const spectrum s(without_trend(series));
    std::printf("%td values; the strongest periods:\n      period   amplitude   phase\n", series.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(5, s.peaks.size()); ++i)
        std::printf("%12.3f %11.4g %7.0f degrees\n", 1 / s.peaks[i].frequency, s.peaks[i].amplitude,
                    s.peaks[i].phase * 180 / pi);
#if defined(RICCI_USE_PNG)
    draw(series, s, count > 2 ? arguments[2] : "spectrum.png");
#else
    if (count > 2) std::printf("built without libpng: no picture is drawn\n");
#endif
    return 0;
} catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 2;
}
