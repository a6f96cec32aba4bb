// Plans of Fourier transforms: which passes, tables of roots, and the cache that keeps the plans used last.
#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "../../core/spinlock.hpp"
#include "power_plan.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The radices of n's passes; what has a prime factor above the largest radix ends with 0. Kept in place: this is no
/// template, so that a std::vector's code would be compiled in every unit.
class fft_radices {
    int radix_[64];  // no more than n has bits
    int count_ = 0;

    void take(int radix) { radix_[count_++] = radix; }

   public:
    RICCI_COLD explicit fft_radices(index_t n) {
        int twos = 0;
        for (; n % 2 == 0; n /= 2) ++twos;
        for (; twos >= 3 && twos != 4; twos -= 3) take(8);
        for (; twos >= 2; twos -= 2) take(4);
        if (twos) take(2);
        for (int r = 3; r <= largest_radix && n > 1; r += 2)
            for (; n % r == 0; n /= r) take(r);
        if (n > 1) take(n > largest_radix ? 0 : static_cast<int>(n));
    }
    const int* begin() const { return radix_; }
    const int* end() const { return radix_ + count_; }
    bool empty() const { return count_ == 0; }
    int back() const { return radix_[count_ - 1]; }
};
/// The work of transforming n elements of `bytes` bytes by passes, in operations on registers; infinite where it
/// cannot be done.
RICCI_COLD inline double fft_cost(index_t n, std::size_t bytes) {
    const double used =
        2 * static_cast<double>(n) * static_cast<double>(bytes);  // the factors are about those of L1, L2 and L3
    const double away = used <= 40e3 ? 1 : used <= 600e3 ? 1.3 : used <= 2e6 ? 2 : 4;
    double each = 0;
    for (const int r : fft_radices(n)) {
        if (r == 0) return std::numeric_limits<double>::infinity();
        each += r == 2 ? 6 : r == 3 ? 8 : r == 4 ? 7 : r == 5 ? 12 : r == 7 ? 16 : r == 8 ? 10 : 2 * r + 8;
    }
    return each * away * static_cast<double>(n);
}

/// The transform of n elements one by one, be they numbers or registers whose lanes are transforms of their own.
template <class T>
class fft_stages {
    std::vector<fft_pass<T>> passes_;
    std::vector<T> tables_;

   public:
    index_t n = 1;

    fft_stages() = default;
    RICCI_COLD explicit fft_stages(index_t size) : n(size) {
        index_t m = n, s = 1;
        std::vector<std::size_t> twiddles_at, roots_at;
        for (const int r : fft_radices(n)) {
            m /= r;
            twiddles_at.push_back(tables_.size());
            for (index_t p = 0; p < m; ++p)
                for (int k = 1; k < r; ++k) push(root_of_unity<T>(p * k, r * m));
            roots_at.push_back(tables_.size());
            if (r > 8)
                for (int k = 1; k <= r / 2; ++k)
                    for (int j = 1; j <= r / 2; ++j) push(std::conj(root_of_unity<T>(j * k, r)));
            passes_.push_back({r, m, s});
            s *= r;
        }
        for (std::size_t i = 0; i < passes_.size(); ++i) {
            passes_[i].twiddles = tables_.data() + twiddles_at[i];
            passes_[i].roots = tables_.data() + roots_at[i];
        }
    }
    fft_stages(const fft_stages&) = delete;
    fft_stages(fft_stages&&) = default;  // a vector that is moved keeps its elements' places
    fft_stages& operator=(fft_stages&&) = default;

    /// Transforms the n elements of a; the result is in a or in b.
    template <class V>
    fft_pair<V>* run(fft_pair<V>* a, fft_pair<V>* b) const {
        for (const auto& pass : passes_) {
            run_pass(fft_elements<V>{a}, fft_elements<V>{b}, pass);
            std::swap(a, b);
        }
        return a;
    }
    /// Transforms the n > 1 rows of x into those of y, which may be x; in between they are in a and b.
    template <class V>
    void run(const fft_rows_read<T>& x, const fft_rows_written<T>& y, fft_pair<V>* a, fft_pair<V>* b) const {
        const fft_pass<T>&first = passes_.front(), &last = passes_.back();
        if (passes_.size() == 1) return run_pass(x, y, first);
        run_pass(x, fft_elements<V>{a}, first);
        for (std::size_t i = 1; i + 1 < passes_.size(); ++i) {
            run_pass(fft_elements<V>{a}, fft_elements<V>{b}, passes_[i]);
            std::swap(a, b);
        }
        run_pass(fft_elements<V>{a}, y, last);
    }
    index_t bytes() const { return static_cast<index_t>(tables_.size() * sizeof(T)); }

   private:
    void push(std::complex<T> z) {
        tables_.push_back(z.real());
        tables_.push_back(z.imag());
    }
};

/// How one line of n numbers is transformed. By passes over its elements, which for powers of two and their like
/// (power_plan.hpp) are those of power.hpp; as a matrix of n1 rows and n2 columns, whose columns, then (after
/// multiplication by roots of unity) rows are transformed, a register's lanes of them at a time; or, where n has a
/// large prime factor, by a convolution of length m (Bluestein, 1970).
template <class T>
struct fft_plan {
    using V = fft_register<T>;
    static constexpr index_t lanes = fft_lanes<T>();
    static constexpr std::size_t element = sizeof(fft_pair<V>);
    static constexpr index_t whole_table = 1 << 14;
    enum class method { powers, passes, matrix, convolution };

    index_t n, n1 = 1, n2 = 1, m = 0;
    method how = method::passes;
    fft_power_plan<T> powers;
    fft_stages<T> columns, rows;
    fft_table<fft_pair<V>> twiddles;  // of all columns, or, where that is too much, of the first group,
    std::vector<T> steps;             // and the factors that lead to the other groups
    std::vector<std::complex<T>> chirp, spectrum;
    std::unique_ptr<const fft_plan> inner;

    static index_t groups(index_t k) { return (k + lanes - 1) / lanes; }

    RICCI_COLD explicit fft_plan(index_t size) : n(size) {
        if (fft_power_plan<T>::suits(n)) {
            how = method::powers;
            powers = fft_power_plan<T>(n);
            return;
        }
        double best = choose_passes(n);
        choose_convolution(best);
        if (how == method::passes) columns = fft_stages<T>(n);
        else if (how == method::matrix) make_matrix();
        else make_convolution();
    }
    /// The elements of the matrix between the two steps.
    index_t matrix_size() const { return groups(n1) * groups(n2) * lanes; }
    index_t bytes() const {
        return powers.bytes() + columns.bytes() + rows.bytes() + twiddles.bytes() +
               static_cast<index_t>(steps.size() * sizeof(T)) +
               static_cast<index_t>((chirp.size() + spectrum.size()) * 2 * sizeof(T)) + (inner ? inner->bytes() : 0);
    }

   private:
    struct matrix_choice {
        double cost;
        index_t n1;
    };
    RICCI_COLD static matrix_choice matrix_cost(index_t size) {
        matrix_choice best{std::numeric_limits<double>::infinity(), 0};
        const auto consider = [&](index_t a) {
            const index_t b = size / a;
            const auto work = [](index_t k, double extra) {
                return fft_cost(k, element) + extra * static_cast<double>(k);
            };
            const double cost =
                static_cast<double>(groups(b)) * work(a, 20) + static_cast<double>(groups(a)) * work(b, 8) + 150;
            if (cost < best.cost) best = {cost, a};
        };
        if (fft_cost(size, element) == std::numeric_limits<double>::infinity()) return best;
        for (index_t a = 2; a * a <= size; ++a)
            if (size % a == 0) {
                consider(a);
                consider(size / a);
            }
        return best;
    }
    RICCI_COLD double choose_passes(index_t size) {
        double best = fft_cost(size, 2 * sizeof(T)) + 4 * static_cast<double>(size);
        if (lanes > 1 || size > whole_table) {
            const auto matrix = matrix_cost(size);
            if (matrix.cost < best || (lanes == 1 && matrix.n1)) {
                best = matrix.cost;
                how = method::matrix;
                n1 = matrix.n1;
                n2 = size / n1;
            }
        }
        return best;
    }
    RICCI_COLD void choose_convolution(double best) {
        if (n <= 2) return;
        for (const index_t odd : {1, 3, 5, 9, 15, 25, 27}) {
            index_t size = odd;
            while (size < 2 * n - 1) size *= 2;
            const double cost =
                2 * std::min(matrix_cost(size).cost, fft_cost(size, 2 * sizeof(T)) + 4 * static_cast<double>(size)) +
                40 * static_cast<double>(size) / lanes + 200;
            if (cost < best) {
                best = cost;
                how = method::convolution;
                m = size;
            }
        }
    }
    RICCI_COLD void make_matrix() {
        columns = fft_stages<T>(n1);
        rows = fft_stages<T>(n2);
        const bool whole = n <= whole_table;
        const index_t tables = whole ? groups(n2) : 1;
        twiddles = fft_table<fft_pair<V>>(tables * n1);
        T* to = reinterpret_cast<T*>(twiddles.data());
        for (index_t g = 0; g < tables; ++g)
            for (index_t k = 0; k < n1; ++k, to += 2 * lanes)
                for (index_t l = 0; l < lanes; ++l) {
                    const auto w = root_of_unity<T>((g * lanes + l) * k % n, n);
                    to[l] = w.real();
                    to[lanes + l] = w.imag();
                }
        if (whole) return;
        steps.reserve(static_cast<std::size_t>(2 * groups(n2) * n1));
        for (index_t g = 0; g < groups(n2); ++g)
            for (index_t k = 0; k < n1; ++k) {
                const auto w = root_of_unity<T>(g * lanes * k % n, n);
                steps.push_back(w.real());
                steps.push_back(w.imag());
            }
    }
    void make_convolution();
};

/// The plans used last, of one kind: at most `most` of them and, but for the very last, at most `most_bytes`.
template <class Plan>
class fft_plan_cache {
    static constexpr std::size_t most = 64;
    static constexpr index_t most_bytes = index_t(64) << 20;
    spinlock lock_;
    std::vector<std::shared_ptr<const Plan>> plans_;

    RICCI_COLD std::shared_ptr<const Plan> find(index_t n) {
        for (std::size_t i = 0; i < plans_.size(); ++i)
            if (plans_[i]->n == n) {
                if (i)
                    std::rotate(plans_.begin(), plans_.begin() + static_cast<std::ptrdiff_t>(i),
                                plans_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                return plans_.front();
            }
        return nullptr;
    }

   public:
    static fft_plan_cache& instance() {
        static fft_plan_cache& cache = *new fft_plan_cache;  // outlives whatever static destructors transform
        return cache;
    }
    RICCI_COLD std::shared_ptr<const Plan> get(index_t n) {
        {
            const spin_guard guard(lock_);
            if (auto found = find(n)) return found;
        }
        auto made = std::make_shared<const Plan>(n);
        std::vector<std::shared_ptr<const Plan>> dropped;  // destroyed after the lock is given back
        const spin_guard guard(lock_);
        if (auto found = find(n)) return found;
        plans_.insert(plans_.begin(), made);
        index_t bytes = 0;
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            bytes += plans_[i]->bytes();
            if (i > 0 && (i >= most || bytes > most_bytes)) {
                dropped.assign(plans_.begin() + static_cast<std::ptrdiff_t>(i), plans_.end());
                plans_.resize(i);
            }
        }
        return made;
    }
};
/// The plan that a thread used last: what is transformed again and again takes no lock. What transforms once a thread's
/// objects are gone, as they may be for static destructors, leaves one behind.
template <class Plan>
std::shared_ptr<const Plan>& last_plan() {
    static constinit thread_local std::shared_ptr<const Plan>* last = nullptr;
    if (!last) [[unlikely]] {
        struct owner {
            ~owner() { delete std::exchange(last, nullptr); }
        };
        static thread_local const owner at_exit;
        static_cast<void>(&at_exit);
        last = new std::shared_ptr<const Plan>;
    }
    return *last;
}
/// The plan for n elements; it stays at least until this thread asks for another one of its kind.
template <class Plan>
const Plan& cached_plan(index_t n) {
    std::shared_ptr<const Plan>& last = last_plan<Plan>();
    if (!last || last->n != n) [[unlikely]]
        last = fft_plan_cache<Plan>::instance().get(n);
    return *last;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
