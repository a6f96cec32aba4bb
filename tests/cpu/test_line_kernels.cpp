// Running sums and softmax of lines of every length that registers end in, against plain loops in long double.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>
#include <vector>

namespace rc = ricci;

namespace {

constexpr rc::index_t lengths[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 1023, 1024, 1025, 4099};

template <class T>
rc::tensor<T, 1> numbers(rc::index_t n, T scale) {
    return rc::evaluate(scale * rc::randn<T>({n}, rc::generator(static_cast<std::uint64_t>(n))));
}

}  // namespace

TEST_CASE_TEMPLATE("running sums of lines, from both ends", T, float, double) {
    for (const rc::index_t n : lengths) {
        CAPTURE(n);
        const rc::tensor<T, 1> x = numbers<T>(n, 1);
        const auto sums = rc::cumulative_sum(x, 0);
        // the adjoint of running sums is running sums from the end
        const auto from_end = std::get<1>(rc::vjp([](auto a) { return rc::cumulative_sum(a, 0); }, x))(x);
        long double up = 0, down = 0, size = 0;
        for (rc::index_t i = 0; i < n; ++i) {
            up += x.at(i);
            down += x.at(n - 1 - i);
            size += std::abs(x.at(i));
            // added in double: n roundings of at most the sum of the sizes; one more to T
            const double error = 1.2e-16 * static_cast<double>((i + 2) * size) + std::numeric_limits<T>::epsilon();
            CHECK(std::abs(static_cast<double>(sums.at(i) - up)) <= error * (1 + std::abs(static_cast<double>(up))));
            CHECK(std::abs(static_cast<double>(from_end.at(n - 1 - i) - down)) <=
                  error * (1 + std::abs(static_cast<double>(down))));
        }
    }
}

TEST_CASE_TEMPLATE("softmax of lines", T, float, double) {
    for (const rc::index_t n : lengths)
        for (const T scale : {T(1), T(300)}) {
            CAPTURE(n);
            CAPTURE(scale);
            const rc::tensor<T, 1> x = numbers<T>(n, scale);
            long double largest = x.at(0), sum = 0;
            for (rc::index_t i = 0; i < n; ++i) largest = std::max<long double>(largest, x.at(i));
            for (rc::index_t i = 0; i < n; ++i) sum += std::exp(static_cast<long double>(x.at(i)) - largest);
            const long double total = std::log(sum) + largest;
            // exp and its sum are good to a few ulp; x - largest is off by half an ulp of itself, which exp magnifies
            const double eps = std::numeric_limits<T>::epsilon();
            const auto y = rc::softmax(x, 0), logs = rc::log_softmax(x, 0);
            CHECK(std::abs(static_cast<double>(rc::logsumexp(x, 0).item() - total)) <=
                  4 * eps * (1 + std::abs(static_cast<double>(total))));
            for (rc::index_t i = 0; i < n; ++i) {
                const long double log = static_cast<long double>(x.at(i)) - total;
                const double expected = static_cast<double>(std::exp(log)),
                             reach = 1 + std::abs(static_cast<double>(log));
                CHECK(std::abs(static_cast<double>(y.at(i)) - expected) <=
                      8 * eps * reach * expected + static_cast<double>(std::numeric_limits<T>::min()));
                CHECK(std::abs(static_cast<double>(logs.at(i) - log)) <=
                      4 * eps * (reach + std::abs(static_cast<double>(largest))));
            }
        }
}

/// softmax, log_softmax and logsumexp of the rows of x, of numbers up to 200 and infinities, beside sums in long double.
template <class T>
void check_softmax(const rc::tensor<T, 2>& x, const rc::tensor<T, 2>& y, const rc::tensor<T, 2>& logs,
                   const rc::tensor<T, 1>& totals) {
    const double eps = std::numeric_limits<T>::epsilon();
    bool right = true;
    for (rc::index_t row = 0; row < x.shape(0); ++row) {
        long double sum = 0;
        for (rc::index_t i = 0; i < x.shape(1); ++i) sum += std::exp(static_cast<long double>(x.at(row, i)));
        const long double total = std::log(sum);
        if (std::isinf(total)) {
            right = right && static_cast<long double>(totals.at(row)) == total;
            for (rc::index_t i = 0; i < x.shape(1); ++i)
                if (std::isinf(x.at(row, i))) right = right && std::isnan(y.at(row, i)) && std::isnan(logs.at(row, i));
            continue;
        }
        right = right && std::abs(static_cast<double>(totals.at(row) - total)) <= 4 * eps * 200;
        for (rc::index_t i = 0; i < x.shape(1); ++i) {
            const long double log = static_cast<long double>(x.at(row, i)) - total;
            const double expected = static_cast<double>(std::exp(log)), size = static_cast<double>(std::abs(log));
            const double reach = expected > 0 ? 1 + size : 0;
            right = right &&
                    std::abs(y.at(row, i) - expected) <= 8 * eps * reach * expected + std::numeric_limits<T>::min();
            const bool same = static_cast<long double>(logs.at(row, i)) == log;
            right = right && (same || std::abs(static_cast<double>(logs.at(row, i) - log)) <= 4 * eps * (200 + size));
        }
    }
    CHECK(right);
}
TEST_CASE_TEMPLATE("softmax of many short lines", T, float, double) {
    const T inf = std::numeric_limits<T>::infinity();
    for (const rc::index_t n : {1, 3, 10, 16, 17, 31, 33})
        for (const rc::index_t count : {16, 21, 67}) {
            CAPTURE(n);
            CAPTURE(count);
            const rc::tensor<T, 2> x = rc::reshape(numbers<T>(count * n, 30), {count, n});
            x.at(1, n / 2) = inf;
            x.at(count - 1, 0) = -inf;
            check_softmax<T>(x, rc::softmax(x, 1), rc::log_softmax(x, 1), rc::logsumexp(x, 1));
        }
}
TEST_CASE_TEMPLATE("softmax of lines beside each other", T, float, double) {
    const T inf = std::numeric_limits<T>::infinity();
    for (const rc::index_t n : {1, 3, 64, 65, 200})
        for (const rc::index_t inner : {3, 4, 8, 9, 16, 17, 100, 128, 131, 256, 260}) {
            CAPTURE(n);
            CAPTURE(inner);
            const rc::tensor<T, 3> x = rc::reshape(numbers<T>(2 * n * inner, 30), {2, n, inner});
            x.at(1, n / 2, inner - 1) = inf;
            x.at(0, 0, 1) = -inf;
            const auto lines = [&](const rc::tensor<T, 3>& a) {
                return rc::tensor<T, 2>(rc::reshape(rc::permute(a, {0, 2, 1}), {2 * inner, n}));
            };
            check_softmax<T>(lines(x), lines(rc::softmax(x, 1)), lines(rc::log_softmax(x, -2)),
                             rc::tensor<T, 1>(rc::ravel(rc::logsumexp(x, 1))));
        }
}

TEST_CASE("softmax of lines: what is not finite") {
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    for (const rc::index_t n : {3, 40}) {  // shorter than a register, and longer
        CAPTURE(n);
        auto x = rc::zeros<float>({3, n});
        x.at(0, n - 1) = -inf;
        x.at(1, n - 2) = nan;
        x(2, rc::all) = -inf;
        const auto y = rc::softmax(x, 1), logs = rc::log_softmax(x, 1);
        CHECK(y.at(0, n - 1) == 0);
        CHECK(y.at(0, 0) == doctest::Approx(1.0 / static_cast<double>(n - 1)));
        CHECK(logs.at(0, n - 1) == -inf);
        for (const rc::index_t j : {rc::index_t(0), n / 2, n - 1}) {
            CHECK(std::isnan(y.at(1, j)));
            CHECK(std::isnan(y.at(2, j)));
            CHECK(std::isnan(logs.at(1, j)));
        }
        CHECK(rc::logsumexp(x, 1).at(2) == -inf);
        x.at(2, 1) = inf;
        CHECK(rc::logsumexp(x, 1).at(2) == inf);
    }
}

TEST_CASE_TEMPLATE("variance of lines", T, float, double) {
    for (const rc::index_t n : lengths)
        for (const T offset : {T(0), T(1000)}) {
            CAPTURE(n);
            CAPTURE(offset);
            const rc::tensor<T, 2> x = rc::reshape(offset + numbers<T>(3 * n, 1), {3, n});
            const auto y = rc::var(x, 1), sample = rc::var(x, 1, rc::dropdims_t{}, 1);
            for (rc::index_t row = 0; row < 3; ++row) {
                long double mean = 0, squares = 0;
                for (rc::index_t i = 0; i < n; ++i) mean += x.at(row, i) / static_cast<long double>(n);
                for (rc::index_t i = 0; i < n; ++i) squares += (x.at(row, i) - mean) * (x.at(row, i) - mean);
                // the mean is off by half an ulp of itself, which counts squared; differences and squares by a few ulp
                const double eps = std::numeric_limits<T>::epsilon(), off = eps * static_cast<double>(offset + 1);
                const double exact = static_cast<double>(squares / static_cast<long double>(n));
                CHECK(std::abs(static_cast<double>(y.at(row)) - exact) <= 32 * eps * exact + off * off);
                if (n > 1)
                    CHECK(std::abs(static_cast<double>(sample.at(row) -
                                                       y.at(row) * static_cast<T>(n) / static_cast<T>(n - 1))) <=
                          4 * eps * exact * 2);
                else CHECK(!(sample.at(row) <= std::numeric_limits<T>::max()));
            }
        }
    CHECK(std::isnan(rc::var(rc::zeros<T>({2, 0}), 1).at(0)));
}

TEST_CASE_TEMPLATE("lines that are standardized", T, float, double) {
    for (const rc::index_t n : lengths)
        for (const rc::index_t rows : {1, 3, 4, 37}) {
            CAPTURE(n);
            CAPTURE(rows);
            const rc::tensor<T, 2> x = rc::reshape(T(10) + numbers<T>(rows * n, 1), {rows, n});
            const auto y = rc::standardize(x, 1, {.epsilon = 1e-3, .correction = 0.5});
            bool right = y.shape() == x.shape();
            for (rc::index_t row = 0; row < rows; ++row) {
                long double mean = 0, squares = 0;
                for (rc::index_t i = 0; i < n; ++i) mean += x.at(row, i) / static_cast<long double>(n);
                for (rc::index_t i = 0; i < n; ++i) squares += (x.at(row, i) - mean) * (x.at(row, i) - mean);
                const long double deviation = std::sqrt(squares / (static_cast<long double>(n) - 0.5L) + 1e-3L);
                for (rc::index_t i = 0; i < n; ++i)
                    right = right && std::abs(y.at(row, i) - (x.at(row, i) - mean) / deviation) <=
                                         32 * std::numeric_limits<T>::epsilon() / std::min(deviation, 1.0L);
            }
            CHECK(right);
        }
    CHECK(std::isnan(rc::standardize(rc::ones<T>({2, 40}), 1).at(1, 20)));
    CHECK(rc::standardize(rc::ones<T>({2, 40}), 1, {.epsilon = 1e-5}).at(1, 20) == 0);
    CHECK(rc::standardize(rc::zeros<T>({0, 5}), 1).size() == 0);
    CHECK(rc::standardize(rc::zeros<T>({2, 0}), 1).size() == 0);
}

TEST_CASE_TEMPLATE("mean and deviation of a line do not depend on the lines beside it", T, float, double) {
    for (const rc::index_t n : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33, 64, 100, 1000, 1100, 9000})
        for (const rc::index_t rows : {1, 2, 4, 5, 8, 11, 39, 70}) {
            CAPTURE(n);
            CAPTURE(rows);
            auto x = rc::tensor<T, 2>(rc::reshape(numbers<T>(rows * n, 2), {rows, n}));
            const auto check = [&](rc::index_t strange) {
                const rc::tensor<T, 1> mean = rc::mean(x, 1), var = rc::var(x, 1);
                const rc::tensor<T, 2> root = rc::stddev(x, -1, rc::keepdims);
                bool right = true;
                for (rc::index_t row = 0; row < rows; ++row) {
                    if (row == strange) {
                        right =
                            right && std::isnan(mean.at(row)) && std::isnan(var.at(row)) && std::isnan(root.at(row, 0));
                        continue;
                    }
                    const auto line = x(row);
                    right = right && mean.at(row) == rc::mean(line, 0).item() &&
                            var.at(row) == rc::var(line, 0).item() && root.at(row, 0) == rc::stddev(line, 0).item() &&
                            root.at(row, 0) == std::sqrt(var.at(row));
                    double sum = 0;
                    for (rc::index_t i = 0; i < n; ++i) sum += static_cast<double>(line.at(i));
                    right = right && std::abs(static_cast<double>(mean.at(row)) - sum / static_cast<double>(n)) < 1e-6;
                }
                CHECK(right);
            };
            check(-1);
            for (const rc::index_t i : {rc::index_t(0), n / 2, n - 1}) {
                const rc::index_t row = rows * i / n;
                const T kept = x.at(row, i);
                x.at(row, i) = std::numeric_limits<T>::quiet_NaN();
                check(row);
                x.at(row, i) = kept;
            }
        }
    CHECK(rc::mean(rc::zeros<T>({0, 5}), 1).size() == 0);
    CHECK(rc::stddev(rc::zeros<T>({0, 5}), 1).size() == 0);
}

namespace {

/// NumPy's rule: the first NaN, else the first of the largest.
template <bool Largest, class T>
rc::index_t plain_position(const T* x, rc::index_t n) {
    rc::index_t at = 0;
    for (rc::index_t i = 0; i < n; ++i) {
        if (x[i] != x[i]) return i;
        if (Largest ? x[i] > x[at] : x[i] < x[at]) at = i;
    }
    return at;
}

}  // namespace

TEST_CASE_TEMPLATE("positions of extrema", T, float, double, rc::float16, std::int8_t, std::uint8_t, std::int64_t) {
    std::uint64_t state = 1;
    const auto draw = [&] { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33; };
    for (const rc::index_t n : lengths)
        for (const std::uint64_t values : {1, 3, 100})
            for (int kind = 0; kind < 4; ++kind) {
                CAPTURE(n);
                CAPTURE(kind);
                std::vector<T> x(static_cast<std::size_t>(n));
                for (std::size_t i = 0; i < x.size(); ++i) {
                    std::uint64_t v = draw() % values;
                    if (kind == 1) v = i * values / x.size();  // rising: each block is better than the last
                    if (kind == 2) v = (x.size() - i) * values / x.size();  // falling
                    x[i] = static_cast<T>(static_cast<float>(v));
                }
                if constexpr (!std::is_integral_v<T>) {
                    const auto place = [&] { return draw() % static_cast<std::uint64_t>(n); };
                    const float inf = std::numeric_limits<float>::infinity();
                    if (kind == 3) x[place()] = x[place()] = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
                    if (values == 1 && kind == 0)
                        for (auto& v : x) v = static_cast<T>(place() % 2 ? -inf : inf);
                    if (values == 3 && kind == 0)
                        for (auto& v : x) v = static_cast<T>(place() % 2 ? -0.0f : 0.0f);
                }
                CHECK(rc::detail::extremum_position<true>(x.data(), n) == plain_position<true>(x.data(), n));
                CHECK(rc::detail::extremum_position<false>(x.data(), n) == plain_position<false>(x.data(), n));
            }
}

TEST_CASE("positions of extrema in a line that threads share") {
    const rc::index_t n = 200001;
    const rc::tensor<float, 1> x = rc::sin(rc::arange<float>(static_cast<float>(n)));
    rc::set_num_threads(3);
    CHECK(rc::argmax(x).item() == plain_position<true>(x.data(), n));
    CHECK(rc::argmin(x).item() == plain_position<false>(x.data(), n));
    x.data()[70000] = x.data()[140000] = 2;
    CHECK(rc::argmax(x).item() == 70000);
    x.data()[150000] = x.data()[190000] = std::numeric_limits<float>::quiet_NaN();
    CHECK(rc::argmax(x).item() == 150000);
    CHECK(rc::argmin(x).item() == 150000);
    CHECK(rc::argmax(rc::zeros<float>({0, 200001}), 1).size() == 0);
}
