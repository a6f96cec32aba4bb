// What another translation unit of the programs defines.
#pragma once
#include <ricci/ricci.hpp>

namespace rc = ricci;

rc::tensor<double, 1> gradient(const rc::tensor<double, 1>& x);
rc::tensor<double, 1> gradient_of_stencil(const rc::tensor<double, 1>& x);
/// Throws gradient_error.
void backward_twice();
