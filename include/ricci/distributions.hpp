// Probability distributions (ricci::distributions), which ricci.hpp, that all others parse too, does not have: sample,
// log_prob, cdf, icdf, moments, entropies and Kullback-Leibler divergences by the names of torch.distributions.
#pragma once
#include "ricci.hpp"
//
#include "distributions/continuous.hpp"
#include "distributions/discrete.hpp"
#include "distributions/kl_divergence.hpp"
#include "distributions/mixture.hpp"
#include "distributions/multivariate.hpp"
#include "distributions/positive.hpp"
