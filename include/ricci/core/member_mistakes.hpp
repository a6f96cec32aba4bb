// Functions and names of other libraries that are no members of arrays, refused in a line.
#pragma once
#include <cstddef>

#include "config.hpp"

namespace ricci {
namespace detail {

/// Of arguments that a worse match than any other takes.
struct anything {
    template <class... A>
    constexpr anything(const A&...) {}
};
/// An array, so that what is done with the result makes no second error (refused.hpp).
template <class Never>
auto refused();

}  // namespace detail

/// A base of expressions. Not of indexable alone, a template: each of its instances would declare all of these again.
/// None of these are members by which programs tell containers and matrices apart (rows, cols, resize, push_back):
/// `requires { x.rows(); }` must go on to be false. Not in detail, all of whose functions unqualified calls would find.
struct refused_members {
#define RICCI_REFUSE_MEMBER(name, how)                                                                            \
    template <class Never = void>                                                                                 \
    auto name(detail::anything = {}, detail::anything = {}, detail::anything = {}, detail::anything = {}) const { \
        static_assert(always_false<Never>, "ricci: " how);                                                        \
        return detail::refused<Never>();                                                                          \
    }
#define RICCI_REFUSE_FUNCTION(name) RICCI_REFUSE_MEMBER(name, "x." #name "(...) is " #name "(x, ...) here, no member")
    RICCI_REFUSE_FUNCTION(sum)
    RICCI_REFUSE_FUNCTION(mean)
    RICCI_REFUSE_FUNCTION(prod)
    RICCI_REFUSE_FUNCTION(max)
    RICCI_REFUSE_FUNCTION(min)
    RICCI_REFUSE_FUNCTION(var)
    RICCI_REFUSE_FUNCTION(median)
    RICCI_REFUSE_FUNCTION(argmax)
    RICCI_REFUSE_FUNCTION(argmin)
    RICCI_REFUSE_FUNCTION(any)
    RICCI_REFUSE_FUNCTION(cumsum)
    RICCI_REFUSE_FUNCTION(norm)
    RICCI_REFUSE_FUNCTION(dot)
    RICCI_REFUSE_FUNCTION(matmul)
    RICCI_REFUSE_FUNCTION(exp)
    RICCI_REFUSE_FUNCTION(log)
    RICCI_REFUSE_FUNCTION(sqrt)
    RICCI_REFUSE_FUNCTION(abs)
    RICCI_REFUSE_FUNCTION(sin)
    RICCI_REFUSE_FUNCTION(cos)
    RICCI_REFUSE_FUNCTION(tanh)
    RICCI_REFUSE_FUNCTION(pow)
    RICCI_REFUSE_FUNCTION(square)
    RICCI_REFUSE_FUNCTION(clip)
    RICCI_REFUSE_FUNCTION(round)
    RICCI_REFUSE_FUNCTION(relu)
    RICCI_REFUSE_FUNCTION(sigmoid)
    RICCI_REFUSE_FUNCTION(softmax)
    RICCI_REFUSE_FUNCTION(conj)
    RICCI_REFUSE_FUNCTION(real)
    RICCI_REFUSE_FUNCTION(imag)
    RICCI_REFUSE_FUNCTION(squeeze)
    RICCI_REFUSE_FUNCTION(permute)
    RICCI_REFUSE_FUNCTION(swapaxes)
    RICCI_REFUSE_FUNCTION(ravel)
    RICCI_REFUSE_FUNCTION(repeat)
    RICCI_REFUSE_FUNCTION(sort)
    RICCI_REFUSE_FUNCTION(argsort)
    RICCI_REFUSE_FUNCTION(nonzero)
    RICCI_REFUSE_FUNCTION(take)
    RICCI_REFUSE_FUNCTION(gather)
    RICCI_REFUSE_FUNCTION(masked_fill)
    RICCI_REFUSE_FUNCTION(trace)
    RICCI_REFUSE_FUNCTION(diagonal)
#undef RICCI_REFUSE_FUNCTION
    RICCI_REFUSE_MEMBER(all, "x.all() is ricci::all(x) here, no member")
    RICCI_REFUSE_MEMBER(std, "x.std() is stddev(x) here, no member")
    RICCI_REFUSE_MEMBER(minCoeff, "x.minCoeff() is min(x) here")
    RICCI_REFUSE_MEMBER(maxCoeff, "x.maxCoeff() is max(x) here")
    RICCI_REFUSE_MEMBER(squaredNorm, "x.squaredNorm() is sum(square(x)) here")
    RICCI_REFUSE_MEMBER(inverse, "x.inverse() is linalg::inv(x) here")
    RICCI_REFUSE_MEMBER(determinant, "x.determinant() is linalg::det(x) here")
    RICCI_REFUSE_MEMBER(cwiseProduct, "x.cwiseProduct(y) is x * y here, element by element; products are matmul(x, y)")
    RICCI_REFUSE_MEMBER(array, "x.array() is x here: x * y is element by element, products are matmul(x, y)")
    RICCI_REFUSE_MEMBER(matrix, "x.matrix() is x here: x * y is element by element, products are matmul(x, y)")
    RICCI_REFUSE_MEMBER(colwise, "x.colwise().sum() is sum(x, 0) here")
    RICCI_REFUSE_MEMBER(rowwise, "x.rowwise().sum() is sum(x, 1) here")
    RICCI_REFUSE_MEMBER(mm, "x.mm(y) is matmul(x, y) here")
    RICCI_REFUSE_MEMBER(mul, "x.mul(y) is x * y here")
    RICCI_REFUSE_MEMBER(add_, "x.add_(y) is x += y here")
    RICCI_REFUSE_MEMBER(sub_, "x.sub_(y) is x -= y here")
    RICCI_REFUSE_MEMBER(mul_, "x.mul_(y) is x *= y here")
    RICCI_REFUSE_MEMBER(dim, "x.dim() is x.ndim() here, the extents are x.shape()")
    RICCI_REFUSE_MEMBER(dimension, "x.dimension() is x.ndim() here, the extents are x.shape()")
    RICCI_REFUSE_MEMBER(dtype, "the type of the elements is decltype(x)::value_type, its name dtype_name<double>()")
    RICCI_REFUSE_MEMBER(numel, "x.numel() is x.size() here")
    RICCI_REFUSE_MEMBER(length, "x.length() is x.size() here")
    RICCI_REFUSE_MEMBER(row, "x.row(i) is x(i) here")
    RICCI_REFUSE_MEMBER(col, "x.col(j) is x(ricci::all, j) here")
    RICCI_REFUSE_MEMBER(block, "a part of x is x(slice(i, i + rows), slice(j, j + columns)) here")
    RICCI_REFUSE_MEMBER(head, "x.head(n) is x(slice(0, n)) here")
    RICCI_REFUSE_MEMBER(tail, "x.tail(n) is x(slice(-n, none)) here")
    RICCI_REFUSE_MEMBER(segment, "x.segment(i, n) is x(slice(i, i + n)) here")
    RICCI_REFUSE_MEMBER(view, "x.view(4, 3) is x.reshape(4, 3) here")
    RICCI_REFUSE_MEMBER(unsqueeze, "x.unsqueeze(0) is expand_dims(x, 0) here, or x(newaxis)")
    RICCI_REFUSE_MEMBER(expand, "x.expand(3, 4) is broadcast_to(x, {3, 4}) here")
    RICCI_REFUSE_MEMBER(contiguous, "x.contiguous() is x.clone() here")
    RICCI_REFUSE_MEMBER(eval, "x.eval() is evaluate(x) here")
    RICCI_REFUSE_MEMBER(fill, "x.fill(1) is x(ricci::ellipsis) = 1 here")
    RICCI_REFUSE_MEMBER(fill_, "x.fill_(1) is x(ricci::ellipsis) = 1 here")
    RICCI_REFUSE_MEMBER(zero_, "x.zero_() is x(ricci::ellipsis) = 0 here")
    RICCI_REFUSE_MEMBER(setZero, "x.setZero() is x(ricci::ellipsis) = 0 here")
    RICCI_REFUSE_MEMBER(setOnes, "x.setOnes() is x(ricci::ellipsis) = 1 here")
    RICCI_REFUSE_MEMBER(setConstant, "x.setConstant(1) is x(ricci::ellipsis) = 1 here")
    RICCI_REFUSE_MEMBER(tolist, "x.tolist() is std::vector(x.begin(), x.end()) here, of an expression evaluate(x)")
    RICCI_REFUSE_MEMBER(numpy,
                        "an array has its elements at x.data() and in x.span(); save_npy(\"x.npy\", x) is for NumPy")
    RICCI_REFUSE_MEMBER(cuda, "x.cuda() is x.to(ricci::cuda) here, with ricci/cuda.hpp")
    RICCI_REFUSE_MEMBER(cpu, "x.cpu() is x.to(ricci::cpu) here")
    RICCI_REFUSE_MEMBER(detach, "x.detach() is stop_gradient(x) here; of a variable it is a member")
    RICCI_REFUSE_MEMBER(grad,
                        "only a variable has a gradient, `variable<double, 1> w = x;`; of a function it is grad(f)(x)")
    RICCI_REFUSE_MEMBER(requires_grad_,
                        "derivatives are taken with respect to a variable, `variable<double, 1> w = x;`, or to the "
                        "arguments of a function, grad(f)(x)")
#undef RICCI_REFUSE_MEMBER
    template <std::nullptr_t = nullptr, class Never = void>  // not astype<float>()
    auto astype(detail::anything = {}) const {
        static_assert(always_false<Never>, "ricci: the type stands before the parentheses: x.astype<float>()");
        return detail::refused<Never>();
    }
    template <class Never = void>
    auto size(detail::anything, detail::anything = {}) const {
        static_assert(always_false<Never>, "ricci: x.size() is of all elements here, the extent of an axis x.shape(0)");
        return detail::refused<Never>();
    }
};

}  // namespace ricci
