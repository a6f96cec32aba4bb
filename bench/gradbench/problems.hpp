// The problems, each timed in a translation unit of its own, and libtorch's contestants, without its headers.
#pragma once
#include <ricci/core/shape.hpp>

#include "report.hpp"

namespace gradbench {

using ricci::index_t;

void time_ba(index_t n, index_t m, index_t p);
void time_det(index_t l);
void time_gmm(index_t n, index_t d, index_t k);
void time_ht(index_t vertices, index_t n, bool complicated);
void time_kmeans(index_t n, index_t d, index_t k);
void time_llsq(index_t n, index_t m);
void time_lse(index_t n);
void time_lstm(index_t l, index_t c);
void time_nested();
void time_ode(index_t n, index_t steps);

// From the same memory; empty where libtorch is not installed.
contestant torch_gmm(const double* points, const double* alphas, const double* means, const double* roots, index_t n,
                     index_t d, index_t k);
contestant torch_kmeans(const double* points, const double* centroids, index_t n, index_t d, index_t k);
contestant torch_llsq(const double* x, index_t n, index_t m);
contestant torch_lse(const double* x, index_t n);
contestant torch_lstm(const double* main, const double* extra, const double* state, const double* sequence, index_t l,
                      index_t c, index_t b);

}  // namespace gradbench
