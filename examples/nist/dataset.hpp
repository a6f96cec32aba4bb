// Reads a data set of NIST's Statistical Reference Datasets (StRD), nonlinear regression: strict, with the line in
// every error.
#pragma once
#include <ricci/core/error.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace nist {

/// One file of the collection. `x` holds the predictors row by row: observation i, predictor j at x[i * predictors +
/// j]. `y` is what the model predicts: the logarithm of the response where the file's model begins with `log[y]`.
struct dataset {
    std::string name;
    std::size_t observations = 0, predictors = 0, parameters = 0;
    bool log_response = false;
    std::array<std::vector<double>, 2> start;
    std::vector<double> certified, certified_deviation;
    double residual_sum_of_squares = 0, residual_deviation = 0;
    std::size_t degrees_of_freedom = 0;
    std::vector<double> y, x;
};

namespace detail {

inline std::string_view trim(std::string_view text) {
    const char* blanks = " \t\r";
    const auto first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

inline std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    for (text = trim(text); !text.empty(); text = trim(text)) {
        found.push_back(text.substr(0, text.find_first_of(" \t")));
        text.remove_prefix(found.back().size());
    }
    return found;
}

/// First and last line of a part of the file, counted from 1, both included.
struct line_range {
    std::size_t first, last;
    std::size_t size() const { return last - first + 1; }
};

/// The lines of a file, and the ways to demand something of them: each failure names the file and the line.
class reader {
public:
    explicit reader(std::string path) : path_(std::move(path)) {
        std::ifstream file(path_);
        if (!file) throw ricci::io_error(path_ + ": cannot open the file");
        for (std::string line; std::getline(file, line);) lines_.push_back(line);
        if (file.bad()) throw ricci::io_error(path_ + ": cannot read the file");
    }

    std::size_t size() const { return lines_.size(); }
    std::string_view line(std::size_t number) const { return trim(lines_[number - 1]); }

    [[noreturn]] void fail(std::size_t number, const std::string& what) const {
        throw ricci::io_error(path_ + ":" + std::to_string(number) + ": " + what);
    }
    [[noreturn]] void fail(const std::string& what) const { throw ricci::io_error(path_ + ": " + what); }

    /// A finite number; Fortran's `D` exponents and a leading `+` are allowed, anything after the number is not.
    double number(std::size_t at, std::string_view text) const {
        std::string digits(text.substr(text.starts_with('+') ? 1 : 0));
        for (char& c : digits)
            if (c == 'D' || c == 'd') c = 'E';
        double value = 0;
        const char* end = digits.data() + digits.size();
        const auto [stop, status] = std::from_chars(digits.data(), end, value);
        if (status == std::errc::result_out_of_range)
            fail(at, "'" + std::string(text) + "' is out of the range of double");
        const bool two_signs = text.starts_with("+-");
        if (status != std::errc() || stop != end || !std::isfinite(value) || two_signs)
            fail(at, "'" + std::string(text) + "' is not a number");
        return value;
    }

    std::size_t count(std::size_t at, std::string_view text) const {
        std::size_t value = 0;
        const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (status != std::errc() || stop != text.data() + text.size())
            fail(at, "'" + std::string(text) + "' is not a whole number");
        return value;
    }

    /// Number of the first line within `where` that begins with `label`.
    std::size_t find(std::string_view label, line_range where) const {
        for (std::size_t i = where.first; i <= where.last && i <= size(); ++i)
            if (line(i).starts_with(label)) return i;
        fail("no line '" + std::string(label) + "' among lines " + std::to_string(where.first) + " to " +
             std::to_string(where.last));
    }

    /// The text after `label` on the first line within `where` that begins with it.
    std::pair<std::size_t, std::string_view> labelled(std::string_view label, line_range where) const {
        const std::size_t at = find(label, where);
        return {at, trim(line(at).substr(label.size()))};
    }

    /// `label (lines 41 to  43)` below the header's `File Format:`.
    line_range range(std::string_view label) const {
        const auto [at, text] = labelled(label, {find("File Format:", {1, size()}) + 1, size()});
        const auto w = words(text);
        if (w.size() != 4 || w[0] != "(lines" || w[2] != "to" || !w[3].ends_with(')'))
            fail(at, "expected '" + std::string(label) + " (lines FIRST to LAST)'");
        const line_range lines{count(at, w[1]), count(at, w[3].substr(0, w[3].size() - 1))};
        if (lines.first <= at || lines.last < lines.first)
            fail(at,
                 "lines " + std::to_string(lines.first) + " to " + std::to_string(lines.last) + " are no valid range");
        if (lines.last > size())
            fail(at, "'" + std::string(label) + "' ends at line " + std::to_string(lines.last) +
                         ", but the file has only " + std::to_string(size()) + " lines");
        return lines;
    }

    /// The header's `37 Observations`, `1 Predictor Variable (...)`: the number before a word that begins with `noun`.
    std::size_t quantity(std::string_view noun, line_range header) const {
        for (std::size_t i = header.first; i <= header.last; ++i) {
            auto w = words(line(i));
            if (!w.empty() && (w[0] == "Data:" || w[0] == "Model:")) w.erase(w.begin());
            if (w.size() < 2 || !w[1].starts_with(noun) ||
                w[0].find_first_not_of("0123456789") != std::string_view::npos)
                continue;
            const std::size_t n = count(i, w[0]);
            if (n == 0) fail(i, "the number of " + std::string(noun) + "s must be positive");
            return n;
        }
        fail("the header does not say how many " + std::string(noun) + "s there are");
    }

private:
    std::string path_;
    std::vector<std::string> lines_;
};

/// `b2 =  39  0.39  1.9128232873E-01  1.9633220911E-01`: two starting values, the certified value and its deviation.
inline void read_parameters(const reader& file, line_range lines, dataset& set) {
    if (lines.size() != set.parameters)
        file.fail(lines.first, "the header names " + std::to_string(set.parameters) +
                                   " parameters, the starting values have " + std::to_string(lines.size()) + " lines");
    for (std::size_t i = 0; i < set.parameters; ++i) {
        const std::size_t at = lines.first + i;
        const auto w = words(file.line(at));
        const std::string name = std::string("b").append(std::to_string(i + 1));
        if (w.size() != 6 || w[0] != name || w[1] != "=")
            file.fail(at, "expected '" + name + " = START1 START2 CERTIFIED DEVIATION'");
        set.start[0].push_back(file.number(at, w[2]));
        set.start[1].push_back(file.number(at, w[3]));
        set.certified.push_back(file.number(at, w[4]));
        set.certified_deviation.push_back(file.number(at, w[5]));
        if (set.certified_deviation.back() < 0) file.fail(at, "a standard deviation cannot be negative");
    }
}

/// The certified sum of squares, deviation and counts below the parameters.
inline void read_summary(const reader& file, line_range lines, dataset& set) {
    const auto [rss_at, rss] = file.labelled("Residual Sum of Squares:", lines);
    const auto [deviation_at, deviation] = file.labelled("Residual Standard Deviation:", lines);
    const auto [freedom_at, freedom] = file.labelled("Degrees of Freedom:", lines);
    const auto [count_at, observations] = file.labelled("Number of Observations:", lines);
    set.residual_sum_of_squares = file.number(rss_at, rss);
    set.residual_deviation = file.number(deviation_at, deviation);
    file.count(freedom_at, freedom);
    if (set.residual_sum_of_squares < 0) file.fail(rss_at, "a sum of squares cannot be negative");
    if (set.residual_deviation < 0) file.fail(deviation_at, "a standard deviation cannot be negative");
    if (file.count(count_at, observations) != set.observations)
        file.fail(count_at, "the header names " + std::to_string(set.observations) +
                                " observations, the certified values " + std::string(observations));
    // Rat43.dat misprints its degrees of freedom: what the two certified figures imply is what counts.
    if (set.observations <= set.parameters) file.fail(count_at, "no degrees of freedom are left");
    set.degrees_of_freedom = set.observations - set.parameters;
    const double implied = std::sqrt(set.residual_sum_of_squares / static_cast<double>(set.degrees_of_freedom));
    if (std::abs(set.residual_deviation - implied) > 1e-9 * implied)
        file.fail(deviation_at, "the residual standard deviation does not agree with the sum of squares on line " +
                                    std::to_string(rss_at));
}

inline void read_observations(const reader& file, line_range lines, dataset& set) {
    const std::size_t columns = 1 + set.predictors;
    if (lines.size() != set.observations)
        file.fail(lines.first, "the header names " + std::to_string(set.observations) +
                                   " observations, the data have " + std::to_string(lines.size()) + " lines");
    const auto heading = words(file.line(lines.first - 1));
    if (heading.size() != 1 + columns || heading[0] != "Data:" || heading[1] != "y")
        file.fail(lines.first - 1,
                  "expected 'Data: y' and the names of " + std::to_string(set.predictors) + " predictors");
    for (std::size_t at = lines.first; at <= lines.last; ++at) {
        const auto w = words(file.line(at));
        if (w.size() != columns)
            file.fail(at, "expected " + std::to_string(columns) + " numbers, found " + std::to_string(w.size()));
        const double y = file.number(at, w[0]);
        if (set.log_response && !(y > 0))
            file.fail(at, "the model takes the logarithm of a response that is not positive");
        set.y.push_back(set.log_response ? std::log(y) : y);
        for (std::size_t j = 1; j < columns; ++j) set.x.push_back(file.number(at, w[j]));
    }
    for (std::size_t at = lines.last + 1; at <= file.size(); ++at)
        if (!file.line(at).empty()) file.fail(at, "text after the last observation");
}

}  // namespace detail

/// Reads the StRD file at `path` and checks that its parts agree with what its header says.
/// Throws ricci::io_error, which names the file, the line and what was expected, when the file is missing or broken.
inline dataset read_dataset(const std::string& path) {
    const detail::reader file(path);
    if (file.size() == 0 || file.line(1) != "NIST/ITL StRD")
        file.fail("not a StRD file: the first line is not 'NIST/ITL StRD'");
    const auto starts = file.range("Starting Values"), certified = file.range("Certified Values"),
               data = file.range("Data");
    if (certified.first != starts.first || certified.last <= starts.last || data.first <= certified.last + 1)
        file.fail("the header's line ranges overlap or are out of order");
    const detail::line_range header{1, starts.first - 1};

    dataset set;
    const auto [name_at, name] = file.labelled("Dataset Name:", header);
    if (name.empty()) file.fail(name_at, "the data set has no name");
    set.name = std::string(detail::words(name)[0]);
    set.observations = file.quantity("Observation", header);
    set.predictors = file.quantity("Predictor", header);
    set.parameters = file.quantity("Parameter", header);
    if (file.quantity("Response", header) != 1) file.fail("more than one response");
    for (std::size_t at = file.find("Model:", header); at <= header.last; ++at)
        set.log_response = set.log_response || file.line(at).starts_with("log[y]");
    detail::read_parameters(file, starts, set);
    detail::read_summary(file, certified, set);
    detail::read_observations(file, data, set);
    return set;
}

}  // namespace nist
