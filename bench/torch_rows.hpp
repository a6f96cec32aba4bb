// libtorch's contestants, without its headers.
#pragma once
#include "bench.hpp"

namespace bench {

using contestant = std::function<result()>;

contestant torch_multiply_add(index_t n);
contestant torch_chain(index_t n);
contestant torch_gradient(index_t n);
contestant torch_sum_exp(index_t n);
contestant torch_sum_axis(index_t n, int axis);
contestant torch_sum_middle(index_t groups, index_t rows, index_t columns);
contestant torch_add_middle(index_t groups, index_t rows, index_t columns);
contestant torch_broadcast(index_t n, bool column);
contestant torch_matmul(index_t n);
contestant torch_rosenbrock_hvp(index_t n);
/// One backward pass after another.
contestant torch_per_sample_mlp(index_t batch);
contestant torch_logistic(index_t samples, index_t features);
/// Rows of a matrix, or with no columns elements of a vector, at some positions.
contestant torch_gather(index_t rows, index_t columns, const rc::tensor<std::int64_t, 1>& positions);
contestant torch_select_positive(index_t n);
contestant torch_add_rows(index_t rows, index_t columns, const rc::tensor<std::int64_t, 1>& positions);
contestant torch_scatter_add(index_t n, index_t bins, const rc::tensor<std::int64_t, 1>& positions);
enum class by_row { softmax, logsumexp, standardise };
contestant torch_by_rows(index_t rows, index_t columns, by_row what);
enum class along { cumulative_sum, sort, every_second, flip };
contestant torch_along(index_t n, along what);
contestant torch_argmax(index_t rows, index_t columns);
contestant torch_transpose(index_t n);
contestant torch_laplace(index_t n);

}  // namespace bench
