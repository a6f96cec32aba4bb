// Restores a picture that was blurred and has noise in it: in one step by Fourier transforms (Wiener's filter), and by
// gradients, which can be asked for more, here for few edges (total variation; Rudin, Osher and Fatemi 1992). Writes
// the pictures.
//
//     deblur [PICTURE.png] [DIRECTORY]       a drawing of its own without a picture; the current directory
#include <cmath>
#include <cstdio>
#include <ricci/io.hpp>
#include <ricci/ricci.hpp>
#include <string>

namespace rc = ricci;
using image = rc::tensor<double, 2>;
using spectrum = rc::tensor<std::complex<double>, 2>;

namespace {

/// Discs, bars and a ramp.
image drawing(rc::index_t n) {
    const auto at = rc::evaluate(rc::linspace<double>(-1, 1, n));
    const auto y = at(rc::all, rc::newaxis), x = at(rc::newaxis, rc::all);
    const auto disc = [&](double cy, double cx, double r) { return square(y - cy) + square(x - cx) < r * r; };
    image picture = rc::expand(0.25 + 0.1 * x, {n, n});
    picture = where(disc(-0.3, -0.35, 0.4), 0.9, picture);
    picture = where(disc(-0.3, -0.35, 0.2), 0.4, picture);
    picture = where(abs(y - 0.55) < 0.3 && sin(40 * x) > 0, 0.8, picture);
    return where(abs(x - 0.65) < 0.15 && abs(y + 0.3) < 0.45, 0.05, picture);
}
/// The transfer function of a Gaussian blur on a periodic picture.
spectrum gaussian_blur(rc::index_t rows, rc::index_t columns, double sigma) {
    const auto wave = [sigma](const auto& f) { return rc::evaluate(exp(-2 * square(M_PI * sigma * f))); };
    return rc::astype<std::complex<double>>(wave(rc::fft::fftfreq(rows))(rc::all, rc::newaxis) *
                                            wave(rc::fft::rfftfreq(columns))(rc::newaxis, rc::all));
}
double decibels(const image& x, const image& truth) { return -10 * std::log10(double(mean(square(x - truth)))); }

/// Minimizes `energy` by Nesterov's accelerated gradient method with steps of a fixed length.
template <class Energy>
image minimize(const Energy& energy, const image& start, double step, int iterations) {
    image x = start, ahead = start;
    double momentum = 1;
    for (int k = 0; k < iterations; ++k) {
        const auto [value, gradient] = rc::value_and_grad(energy)(ahead);
        const image next = ahead - step * gradient;
        const double following = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
        ahead = next + (momentum - 1) / following * (next - x);
        x = next;
        momentum = following;
        if (k % 50 == 0) std::printf("  step %3d  energy %.4f\n", k, double(value));
    }
    return x;
}

void run(const std::string& file, const std::string& directory) {
    const image truth = file.empty() ? drawing(256) : rc::load_png<double, 2>(file);
    const rc::index_t rows = truth.shape(0), columns = truth.shape(1);
    const spectrum blur = gaussian_blur(rows, columns, 2.0);
    const auto blurred = [&](const auto& x) {
        return rc::fft::irfft2(rc::fft::rfft2(x) * blur, {.s = {rows, columns}});
    };
    const double noise = 0.01;
    const image seen = blurred(truth) + noise * rc::randn<double>({rows, columns}, rc::generator(1));

    // Wiener's filter: least squares with a bound on what is amplified, solved where the blur is a product
    const image filtered =
        rc::fft::irfft2(rc::fft::rfft2(seen) * conj(blur) / (square(abs(blur)) + 0.002), {.s = {rows, columns}});

    const auto energy = [&](const auto& x) {
        const auto down = x - rc::roll(x, 1, 0), right = x - rc::roll(x, 1, 1);
        return 0.5 * sum(square(blurred(x) - seen)) + 1e-3 * sum(sqrt(square(down) + square(right) + 1e-4));
    };
    std::puts("total variation, by gradients through the transforms:");
    const image restored = minimize(energy, seen, 0.9, 200);

    const auto save = [&](const char* name, const image& x) {
        rc::save_png(directory + "/deblur_" + name + ".png", x);
        std::printf("  deblur_%s.png  %5.2f dB\n", name, decibels(x, truth));
    };
    std::puts("pictures, and how near they are to the truth:");
    save("seen", seen);
    save("wiener", filtered);
    save("total_variation", restored);
    rc::save_png(directory + "/deblur_truth.png", truth);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : ".");
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "deblur: %s\n", e.what());
        return 1;
    }
}
