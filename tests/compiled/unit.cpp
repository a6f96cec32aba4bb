#include "unit.hpp"

rc::tensor<double, 1> gradient(const rc::tensor<double, 1>& x) {
    return rc::grad([](auto y) { return sum(sin(y) * exp(-y * y)); })(x);
}
rc::tensor<double, 1> gradient_of_stencil(const rc::tensor<double, 1>& x) {
    return rc::grad([](auto y) { return sum(square(y(rc::slice(1, rc::none)) - y(rc::slice(0, -1)))); })(x);
}
void backward_twice() {
    const rc::variable<double, 1> w = rc::ones<double>({3});
    const auto loss = sum(w * w);
    rc::backward(loss);
    rc::backward(loss);
}
