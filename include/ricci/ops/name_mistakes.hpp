// NumPy's, PyTorch's and SciPy's functions under names that they do not have here, refused in a line (docs/numpy.md).
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "../core/refused.hpp"

namespace ricci {
// Of anything: whoever has a function of such a name keeps it.
#define RICCI_REFUSE_NAME(function, how)                                                                 \
    template <class Never = void>                                                                        \
    auto function(detail::anything, detail::anything = {}, detail::anything = {}, detail::anything = {}, \
                  detail::anything = {}) {                                                               \
        static_assert(always_false<Never>, "ricci: " how);                                               \
        return detail::refused_result();                                                                 \
    }
RICCI_REFUSE_NAME(std, "numpy.std is stddev(x) here, with ddof = 1 stddev(x, 0, {}, 1)")
RICCI_REFUSE_NAME(array,
                  "numpy.array is tensor{1.0, 2.0} here, tensor<float, 2>{{1, 2}, {3, 4}}, of a vector from_span(v)")
template <class Never = void>  // of nested braces, {{1, 2}, {3, 4}}
auto array(std::initializer_list<detail::anything>) {
    return array<Never>(0);
}
RICCI_REFUSE_NAME(randperm, "torch.randperm is random::permutation(5) here")
RICCI_REFUSE_NAME(vectorize, "numpy.vectorize(f)(x) is map(f, x) here, of a generic lambda with SIMD and derivatives")
RICCI_REFUSE_NAME(apply_along_axis,
                  "numpy.apply_along_axis(f, 1, x) is vmap(f)(x) here, of the columns vmap(f, in_axes(1))(x)")
RICCI_REFUSE_NAME(jit, "functions are compiled as they are, f(x); element-wise expressions are one pass")
RICCI_REFUSE_NAME(jacobian, "a Jacobian is jacfwd(f)(x) here, by forward mode, or jacrev(f)(x), by reverse mode")
RICCI_REFUSE_NAME(loadtxt, "numpy.loadtxt is load_csv<double>(\"x.csv\") here, with ricci/io.hpp")
RICCI_REFUSE_NAME(savetxt, "numpy.savetxt is save_csv(\"x.csv\", x) here, with ricci/io.hpp")
RICCI_REFUSE_NAME(default_rng,
                  "a generator is generator(42) here, which functions take last: randn({3, 4}, generator(42))")

// Of paths alone: libraries that write objects into archives ask whether there is a save(archive, x).
#define RICCI_REFUSE_FILE(function, how)                       \
    template <class Never = void>                              \
    auto function(const std::string&, detail::anything = {}) { \
        static_assert(always_false<Never>, "ricci: " how);     \
        return detail::refused_result();                       \
    }
RICCI_REFUSE_FILE(load, "numpy.load is load_npy<double, 2>(\"x.npy\") here, its type and rank said")
RICCI_REFUSE_FILE(save, "numpy.save is save_npy(\"x.npy\", x) here")
#undef RICCI_REFUSE_FILE

// Those of a room, without its name.
#define RICCI_REFUSE_OUTSIDE(room, function) RICCI_REFUSE_NAME(function, #function " is " #room "::" #function " here")
RICCI_REFUSE_OUTSIDE(linalg, solve)
RICCI_REFUSE_OUTSIDE(linalg, solve_triangular)
RICCI_REFUSE_OUTSIDE(linalg, lstsq)
RICCI_REFUSE_OUTSIDE(linalg, inv)
RICCI_REFUSE_OUTSIDE(linalg, pinv)
RICCI_REFUSE_OUTSIDE(linalg, det)
RICCI_REFUSE_OUTSIDE(linalg, slogdet)
RICCI_REFUSE_OUTSIDE(linalg, cholesky)
RICCI_REFUSE_OUTSIDE(linalg, lu)
RICCI_REFUSE_OUTSIDE(linalg, qr)
RICCI_REFUSE_OUTSIDE(linalg, svd)
RICCI_REFUSE_OUTSIDE(linalg, svdvals)
RICCI_REFUSE_OUTSIDE(linalg, eig)
RICCI_REFUSE_OUTSIDE(linalg, eigh)
RICCI_REFUSE_OUTSIDE(linalg, eigvalsh)
RICCI_REFUSE_OUTSIDE(linalg, cross)
RICCI_REFUSE_OUTSIDE(linalg, matrix_power)
RICCI_REFUSE_OUTSIDE(linalg, matrix_exp)
RICCI_REFUSE_OUTSIDE(linalg, matrix_rank)
RICCI_REFUSE_OUTSIDE(fft, ifft)
RICCI_REFUSE_OUTSIDE(fft, rfft)
RICCI_REFUSE_OUTSIDE(fft, irfft)
RICCI_REFUSE_OUTSIDE(fft, fft2)
RICCI_REFUSE_OUTSIDE(fft, ifft2)
RICCI_REFUSE_OUTSIDE(fft, fftn)
RICCI_REFUSE_OUTSIDE(fft, fftfreq)
RICCI_REFUSE_OUTSIDE(fft, fftshift)
RICCI_REFUSE_OUTSIDE(fft, dct)
RICCI_REFUSE_OUTSIDE(signal, convolve)
RICCI_REFUSE_OUTSIDE(signal, correlate)
RICCI_REFUSE_OUTSIDE(signal, lfilter)
RICCI_REFUSE_OUTSIDE(signal, find_peaks)
RICCI_REFUSE_OUTSIDE(signal, welch)
RICCI_REFUSE_OUTSIDE(signal, stft)
RICCI_REFUSE_OUTSIDE(random, uniform)
RICCI_REFUSE_OUTSIDE(random, normal)
RICCI_REFUSE_OUTSIDE(random, integers)
RICCI_REFUSE_OUTSIDE(random, permutation)
RICCI_REFUSE_OUTSIDE(random, shuffle)
RICCI_REFUSE_OUTSIDE(random, choice)
#undef RICCI_REFUSE_OUTSIDE

// Those of a header that is not included. Through the ellipsis: where it is, its own are better matches.
#define RICCI_REFUSE_WITHOUT_IO(function, call)                                               \
    template <class Never = void, int...>                                                     \
    auto function(...) {                                                                      \
        static_assert(always_false<Never>, "ricci: " #function " is of ricci/io.hpp: " call); \
        return detail::refused_result();                                                      \
    }
RICCI_REFUSE_WITHOUT_IO(load_csv, "load_csv<double>(\"x.csv\")")
RICCI_REFUSE_WITHOUT_IO(load_npz, "load_npz<double, 2>(\"x.npz\", \"a\")")
RICCI_REFUSE_WITHOUT_IO(load_png, "load_png<std::uint8_t, 3>(\"x.png\")")
RICCI_REFUSE_WITHOUT_IO(load_safetensors, "load_safetensors<double, 2>(\"x.safetensors\", \"a\")")
RICCI_REFUSE_WITHOUT_IO(save_csv, "save_csv(\"x.csv\", x)")
RICCI_REFUSE_WITHOUT_IO(save_png, "save_png(\"x.png\", x)")
RICCI_REFUSE_WITHOUT_IO(save_npz, "save_npz(\"x.npz\", {{\"a\", x}})")
RICCI_REFUSE_WITHOUT_IO(save_safetensors, "save_safetensors(\"x.safetensors\", {{\"a\", x}})")
#undef RICCI_REFUSE_WITHOUT_IO

// The same of arrays with names: braces go through no ellipsis.
namespace detail {
struct named_anything {
    std::string name;
    anything array;
};
}  // namespace detail
#define RICCI_REFUSE_NAMED_WITHOUT_IO(function)                                          \
    template <class Never = void>                                                        \
    auto function(const std::string& path, const std::vector<detail::named_anything>&) { \
        return function<Never>(path.c_str());                                            \
    }
RICCI_REFUSE_NAMED_WITHOUT_IO(save_npz)
RICCI_REFUSE_NAMED_WITHOUT_IO(save_safetensors)
#undef RICCI_REFUSE_NAMED_WITHOUT_IO

namespace linalg {
RICCI_REFUSE_NAME(expm, "scipy.linalg.expm is linalg::matrix_exp(a) here")
}  // namespace linalg
namespace random {
RICCI_REFUSE_NAME(rand, "ricci::rand({3, 4}) is uniform in [0, 1), as random::uniform({3, 4}) is")
RICCI_REFUSE_NAME(randn, "ricci::randn({3, 4}) is normal, as random::normal({3, 4}) is")
RICCI_REFUSE_NAME(seed, "a seed is a generator's, which functions take last: random::normal({3, 4}, generator(42))")
RICCI_REFUSE_NAME(manual_seed, "ricci::manual_seed(1) seeds what is drawn without a generator")
}  // namespace random
#undef RICCI_REFUSE_NAME

}  // namespace ricci
