// The exceptions that the library throws: all derive from ricci::error, all are thrown before anything is written.
#pragma once
#include <stdexcept>
#include <string>

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

}  // namespace ricci
