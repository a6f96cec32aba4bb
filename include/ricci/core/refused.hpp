// What a function returns that refuses its arguments and got no array.
#pragma once
#include "tensor.hpp"

namespace ricci {
namespace detail {

/// The base of the classes that say why: an array, so that what is done with the result makes no second error. (Functions that
/// refuse an array return it, to the same end; those without a result are instantiated after the error of who uses it.)
struct refused_result : tensor<double, 0> {};

}  // namespace detail
}  // namespace ricci
